import { type Meeting, updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import { z } from 'zod';
import type { FieldTexts } from '#lib/forms/field-texts.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { DialogForm } from '#ui/forms/dialog-form.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { LiveNotes } from './notes/live-notes.tsx';
import { useLiveNotes } from './notes/use-live-notes.ts';
import { useMeetingActions } from './use-meeting-actions.ts';

type Props = { meeting: Meeting; isOpen: boolean; onClose: () => void };

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
  const notes = useLiveNotes(meeting);
  const editing = useVersionedForm({
    resource: meeting,
    valuesOf: summaryOf,
    fields: FIELDS,
    schema: summarySchema,
    draft: `meeting:${meeting._id}:notes`,
    // Notes are saved first; they are merged with those of others, so they never conflict.
    save: async (body, version) => {
      await notes.live.flush();
      return update(meeting._id, { ...body, version });
    },
    messages: { saved: 'Notes and summary added successfully', failed: 'Failed to add notes and summary' },
    onSaved: onDone,
  });
  const { control } = editing;
  return (
    <DialogForm of={editing} what="this meeting" action="Save Notes">
      <LiveNotes {...notes} />
      <FormField control={control} name="summary">
        {(field) => (
          <TextArea {...field} value={field.value ?? ''} label="Summary" rows={6} maxLength={SUMMARY_MAX} isCounted />
        )}
      </FormField>
    </DialogForm>
  );
}

type Written = { summary?: string | undefined };

const FIELDS: FieldTexts<Written> = { summary: 'Summary' };

const summarySchema = z.preprocess((values: Written) => values, updateMeetingBody);

const summaryOf = ({ summary }: Meeting): Written => ({ summary });
