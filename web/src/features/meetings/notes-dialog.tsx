import { type Meeting, updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import { FormField } from '../../lib/forms/form-field.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { EditForm } from '../../ui/forms/edit-form.tsx';
import { useVersionedForm } from '../../ui/forms/use-versioned-form.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useMeetingActions } from './use-meeting-actions.ts';

type Props = { meeting: Meeting; isOpen: boolean; onClose: () => void };

const NOTES_MAX = 2000;
const SUMMARY_MAX = 3000;

export function NotesDialog({ meeting, isOpen, onClose }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add Meeting Notes & Summary" description={meeting.title}>
      <NotesForm meeting={meeting} onDone={onClose} />
    </Dialog>
  );
}

function NotesForm({ meeting, onDone }: { meeting: Meeting; onDone: () => void }) {
  const { update } = useMeetingActions();
  const editing = useVersionedForm({
    resource: meeting,
    valuesOf: notesOf,
    schema: updateMeetingBody,
    draft: `meeting:${meeting._id}:notes`,
    save: (body, version) => update(meeting._id, { ...body, version }),
    words: { saved: 'Notes and summary added successfully', failed: 'Failed to add notes and summary' },
    onSaved: onDone,
  });
  const { control } = editing;
  return (
    <EditForm of={editing} what="this meeting" shown={SHOWN} action="Save Notes">
      <FormField control={control} name="notes">
        {(field) => (
          <TextArea {...field} value={field.value ?? ''} label="Notes" rows={6} maxLength={NOTES_MAX} isCounted />
        )}
      </FormField>
      <FormField control={control} name="summary">
        {(field) => (
          <TextArea {...field} value={field.value ?? ''} label="Summary" rows={6} maxLength={SUMMARY_MAX} isCounted />
        )}
      </FormField>
    </EditForm>
  );
}

type Written = { notes?: string | undefined; summary?: string | undefined };

const notesOf = ({ notes, summary }: Meeting): Written => ({ notes, summary });

const SHOWN: Record<string, (written: Written) => string> = {
  Notes: ({ notes }) => notes ?? '',
  Summary: ({ summary }) => summary ?? '',
};
