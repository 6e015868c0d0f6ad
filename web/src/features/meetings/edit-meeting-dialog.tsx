import type { Meeting } from '@atrium/proto-events/http/meetings';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { messageOf } from '../../lib/api-error.ts';
import { FormField } from '../../lib/form-field.tsx';
import { showFieldErrors } from '../../lib/server-errors.ts';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';
import { showError, showSuccess } from '../../ui/toast.ts';
import { ChangedNotice } from './changed-notice.tsx';
import { FormFoot } from './form-foot.tsx';
import { type FieldsProps, Recurrence, Repeating, WhatAndWhen, WhereAndWhy } from './meeting-fields.tsx';
import { editSchema, MEETING_FIELDS, valuesOf } from './meeting-schema.ts';
import { elsewhere } from './meeting-words.ts';
import { ParticipantsField } from './participants-field.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { staleVersion } from './stale-version.ts';
import { useMeetingActions } from './use-meetings.ts';

type Props = { meeting: Meeting; isOpen: boolean; onClose: () => void };

export function EditMeetingDialog({ meeting, isOpen, onClose }: Props) {
  const away = elsewhere(meeting);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Edit Meeting"
      width="lg"
      description={away && `It was scheduled for ${away}.`}
    >
      <EditForm meeting={meeting} onDone={onClose} />
    </Dialog>
  );
}

function EditForm({ meeting, onDone }: { meeting: Meeting; onDone: () => void }) {
  const [schema] = useState(() => editSchema(meeting));
  const form = useForm({ resolver: zodResolver(schema), defaultValues: valuesOf(meeting) });
  // The version that the typed changes were made on; a newer one on the server is a conflict that is told.
  const [base, setBase] = useState({ version: meeting.version, isNewer: false });
  const { update } = useMeetingActions();
  const submit = form.handleSubmit(async ({ body, scope }) => {
    try {
      await update(meeting._id, { ...body, version: base.version }, scope);
      showSuccess('Meeting updated successfully');
      onDone();
    } catch (error) {
      const version = staleVersion(error);
      if (version !== undefined) setBase({ version, isNewer: true });
      showFieldErrors(error, MEETING_FIELDS, form.setError);
      showError('Error', messageOf(error, 'Failed to update meeting'));
    }
  });
  const { control } = form;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        {base.isNewer && <ChangedNotice />}
        <WhatAndWhen control={control} />
        {meeting.isRecurring ? <SeriesFields control={control} /> : <Repeating control={control} />}
        <FormField control={control} name="participants">
          {({ value, onChange, error }) => (
            <ParticipantsField
              value={value}
              onChange={onChange}
              error={error}
              organizerId={meeting.organizer._id}
              invited={meeting.participants}
            />
          )}
        </FormField>
        <WhereAndWhy control={control} />
      </DialogBody>
      <FormFoot onCancel={onDone} isSubmitting={form.formState.isSubmitting} action="Save Changes" />
    </form>
  );
}

/** For which meetings of the series the change is; how it repeats belongs to all that follow. */
function SeriesFields<Out>({ control }: FieldsProps<Out>) {
  const scope = useWatch({ control, name: 'scope' });
  return (
    <>
      <FormField control={control} name="scope">
        {({ value, onChange }) => <ScopeChoice label="Change" value={value} onChange={onChange} />}
      </FormField>
      {scope !== 'this' && <Recurrence control={control} />}
    </>
  );
}
