import { type Meeting, updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import { zodResolver } from '@hookform/resolvers/zod';
import { showFieldErrors } from '../../lib/api/server-errors.ts';
import { FormField } from '../../lib/forms/form-field.tsx';
import { useBase } from '../../lib/forms/use-base.ts';
import { useEntryForm } from '../../lib/forms/use-entry-form.ts';
import { useStoredDraft } from '../../lib/forms/use-stored-draft.ts';
import { EditNotices } from '../../ui/edit-notices.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Dialog, DialogBody } from '../../ui/overlays/dialog.tsx';
import { showFailure } from '../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
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
  const form = useEntryForm({ resolver: zodResolver(updateMeetingBody), defaultValues: notesOf(meeting) });
  const editing = useBase(meeting, notesOf);
  const draft = useStoredDraft(form, `meeting:${meeting._id}:notes`, editing.meetBase);
  const { update } = useMeetingActions();
  const submit = form.handleSubmit(async (body) => {
    try {
      await update(meeting._id, { ...body, version: editing.base.version });
      showSuccess('Notes and summary added successfully');
      onDone();
    } catch (error) {
      if (editing.meet(error, form)) return;
      showFieldErrors(error, ['notes', 'summary'], form.setError);
      showFailure(error, 'Failed to add notes and summary');
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <EditNotices form={form} editing={editing} draft={draft} what="this meeting" shown={SHOWN} />
        <FormField control={form.control} name="notes">
          {(field) => (
            <TextArea {...field} value={field.value ?? ''} label="Notes" rows={6} maxLength={NOTES_MAX} isCounted />
          )}
        </FormField>
        <FormField control={form.control} name="summary">
          {(field) => (
            <TextArea {...field} value={field.value ?? ''} label="Summary" rows={6} maxLength={SUMMARY_MAX} isCounted />
          )}
        </FormField>
      </DialogBody>
      <FormFoot isBusy={form.formState.isSubmitting} isDisabled={editing.theirs !== undefined} action="Save Notes" />
    </form>
  );
}

type Written = { notes?: string | undefined; summary?: string | undefined };

const notesOf = ({ notes, summary }: Meeting): Written => ({ notes, summary });

const SHOWN: Record<string, (written: Written) => string> = {
  Notes: ({ notes }) => notes ?? '',
  Summary: ({ summary }) => summary ?? '',
};
