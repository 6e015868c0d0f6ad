import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { elsewhere, TYPE_LABELS } from '../../../entities/meeting/meeting-words.ts';
import { showFieldErrors } from '../../../lib/api/server-errors.ts';
import { dayInWords } from '../../../lib/day.ts';
import { FormField } from '../../../lib/forms/form-field.tsx';
import { useBase } from '../../../lib/forms/use-base.ts';
import { useEntryForm } from '../../../lib/forms/use-entry-form.ts';
import { useStoredDraft } from '../../../lib/forms/use-stored-draft.ts';
import { EditNotices } from '../../../ui/edit-notices.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { Dialog, DialogBody } from '../../../ui/overlays/dialog.tsx';
import { showFailure } from '../../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../../ui/overlays/toast.ts';
import { useMeetingActions } from '../use-meeting-actions.ts';
import { type FieldsProps, Recurrence, Repeating, WhatAndWhen, WhereAndWhy } from './meeting-fields.tsx';
import { editSchema, MEETING_FIELDS, type MeetingValues, valuesOf } from './meeting-schema.ts';
import { ParticipantsField } from './participants-field.tsx';
import { ScopeChoice } from './scope-choice.tsx';

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
  const editing = useBase(meeting, valuesOf);
  // What counts as moved is what differs from the version that the save stands on.
  const schema = useMemo(() => editSchema(editing.base), [editing.base]);
  const form = useEntryForm({ resolver: zodResolver(schema), defaultValues: valuesOf(meeting) });
  const draft = useStoredDraft(form, `meeting:${meeting._id}`, editing.meetBase);
  const { update } = useMeetingActions();
  const submit = form.handleSubmit(async ({ body, scope }) => {
    try {
      await update(meeting._id, { ...body, version: editing.base.version }, scope);
      showSuccess('Meeting updated successfully');
      onDone();
    } catch (error) {
      if (editing.meet(error, form)) return;
      showFieldErrors(error, MEETING_FIELDS, form.setError);
      showFailure(error, 'Failed to update meeting');
    }
  });
  const { control } = form;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <EditNotices form={form} editing={editing} draft={draft} what="this meeting" shown={SHOWN} />
        <WhatAndWhen control={control} />
        {editing.base.isRecurring ? <SeriesFields control={control} /> : <Repeating control={control} />}
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
      <FormFoot isBusy={form.formState.isSubmitting} isDisabled={editing.theirs !== undefined} action="Save Changes" />
    </form>
  );
}

/** For which meetings of the series the change is; how it repeats belongs to all that follow. */
function SeriesFields<Out>({ control }: FieldsProps<Out>) {
  const scope = useWatch({ control, name: 'scope' });
  return (
    <>
      <FormField control={control} name="scope">
        {({ value, onChange }) => (
          <ScopeChoice
            label="Change"
            value={value}
            onChange={onChange}
            description={value === 'this' ? undefined : 'Each of them gets the words and the people of this form.'}
          />
        )}
      </FormField>
      {scope !== 'this' && <Recurrence control={control} />}
    </>
  );
}

const SHOWN: Record<string, (values: MeetingValues) => string> = {
  Title: ({ title }) => title,
  Date: ({ date }) => dayInWords(date),
  Time: ({ startTime, endTime }) => `${startTime} to ${endTime}`,
  Type: ({ type }) => Object.entries(TYPE_LABELS).find(([value]) => value === type)?.[1] ?? type,
  Location: ({ location }) => location,
  'Meeting link': ({ meetingLink }) => meetingLink,
  Description: ({ description }) => description,
  Agenda: ({ agenda }) => agenda,
  Participants: ({ participants }) => `${participants.length} invited`,
};
