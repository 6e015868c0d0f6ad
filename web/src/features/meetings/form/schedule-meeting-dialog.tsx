import { UsersField } from '#entities/user/users-field.tsx';
import { FormField } from '#lib/forms/form-field.tsx';
import { useCurrentUser } from '#lib/session/session.ts';
import type { Day } from '#lib/time/day.ts';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useCreateForm } from '#ui/forms/use-create-form.ts';
import { type Span, toTimes } from '../layout/span.ts';
import { useMeetingActions } from '../use-meeting-actions.ts';
import { AgendaFormField } from './agenda-field.tsx';
import { Availability } from './availability.tsx';
import { BasicFields, DetailFields } from './meeting-fields.tsx';
import { scheduleSchema } from './meeting-schema.ts';
import { type MeetingPrefill, newValues } from './meeting-values.ts';
import { Repeating } from './recurrence-fields.tsx';

type Props = {
  onClose: () => void;
  day: Day | '';
  selectedSpan?: Span | undefined;
  /** The message that the meeting is created from. */
  message?: MeetingPrefill & { id: string };
};

export function ScheduleMeetingDialog({ onClose, day, selectedSpan, message }: Props) {
  const { id: messageId, ...prefill } = message ?? {};
  const me = useCurrentUser();
  const creating = useCreateForm({
    schema: scheduleSchema(selectedSpan),
    defaultValues: { ...newValues(day, Date.now(), selectedSpan), ...prefill },
    draft: messageId ? `message:${messageId}:meeting:new` : 'meeting:new',
    create: useMeetingActions().create,
    messages: {
      created: 'Meeting created successfully! Invitations sent to participants.',
      failed: 'Failed to create meeting',
    },
    onCreated: onClose,
  });
  const { form, control } = creating;
  const initialTimes = selectedSpan && toTimes(selectedSpan);
  return (
    <FormDialog form={creating} title="Schedule New Meeting" width="lg" onClose={onClose} action="Schedule Meeting">
      <BasicFields control={control} initialTimes={initialTimes} />
      <Repeating control={control} initialTimes={initialTimes} />
      <FormField control={control} name="participants">
        {({ value, onChange, error, ref }) => (
          <UsersField
            label="Participants"
            value={value}
            onChange={onChange}
            error={error}
            excludedIds={[me._id]}
            isRequired
            ref={ref}
          />
        )}
      </FormField>
      <Availability form={form} organizerId={me._id} initialTimes={initialTimes} />
      <DetailFields control={control} linkHint="https://meet.example.com/your-meeting" />
      <AgendaFormField form={form} loadedPeople={[me]} />
    </FormDialog>
  );
}
