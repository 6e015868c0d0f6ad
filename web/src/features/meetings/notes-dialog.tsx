import { type Meeting, updateMeetingBody } from '@atrium/proto-events/http/meetings';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { messageOf } from '../../lib/api-error.ts';
import { FormField } from '../../lib/form-field.tsx';
import { showFieldErrors } from '../../lib/server-errors.ts';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { showError, showSuccess } from '../../ui/toast.ts';
import { ChangedNotice } from './changed-notice.tsx';
import { FormFoot } from './form-foot.tsx';
import { staleVersion } from './stale-version.ts';
import { useMeetingActions } from './use-meetings.ts';

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
  const values = { notes: meeting.notes, summary: meeting.summary };
  const form = useForm({ resolver: zodResolver(updateMeetingBody), defaultValues: values });
  const [base, setBase] = useState({ version: meeting.version, isNewer: false });
  const { update } = useMeetingActions();
  const submit = form.handleSubmit(async (body) => {
    try {
      await update(meeting._id, { ...body, version: base.version });
      showSuccess('Notes and summary added successfully');
      onDone();
    } catch (error) {
      const version = staleVersion(error);
      if (version !== undefined) setBase({ version, isNewer: true });
      showFieldErrors(error, ['notes', 'summary'], form.setError);
      showError('Error', messageOf(error, 'Failed to add notes and summary'));
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        {base.isNewer && <ChangedNotice />}
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
      <FormFoot onCancel={onDone} isSubmitting={form.formState.isSubmitting} action="Save Notes" />
    </form>
  );
}
