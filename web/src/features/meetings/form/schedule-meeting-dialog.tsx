import type { Day } from '#lib/day.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useCurrentUser } from '#lib/session/use-session.ts';
import { DialogForm } from '#ui/forms/dialog-form.tsx';
import { useCreateForm } from '#ui/forms/use-create-form.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { AgendaFormField } from '../agenda/agenda-form-field.tsx';
import type { Span } from '../layout/span.ts';
import { Availability } from '../planning/availability.tsx';
import { useMeetingActions } from '../use-meeting-actions.ts';
import { BasicFields, DetailFields } from './meeting-fields.tsx';
import { scheduleSchema, timesOf } from './meeting-schema.ts';
import { newValues } from './meeting-values.ts';
import { ParticipantsField } from './participants-field.tsx';
import { Repeating } from './recurrence-fields.tsx';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  day: Day | '';
  /** The time selected in a calendar, in milliseconds since 1970. */
  at?: Span | undefined;
};

export function ScheduleMeetingDialog({ isOpen, onClose, day, at }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Schedule New Meeting" width="lg">
      <ScheduleForm day={day} at={at} onDone={onClose} />
    </Dialog>
  );
}

function ScheduleForm({ day, at, onDone }: Pick<Props, 'day' | 'at'> & { onDone: () => void }) {
  const me = useCurrentUser();
  const creating = useCreateForm({
    schema: scheduleSchema(at),
    defaultValues: newValues(day, Date.now(), at),
    draft: 'meeting:new',
    create: useMeetingActions().create,
    messages: {
      created: 'Meeting created successfully! Invitations sent to participants.',
      failed: 'Failed to create meeting',
    },
    onCreated: onDone,
  });
  const { form, control } = creating;
  const from = at && timesOf(at);
  return (
    <DialogForm of={creating} action="Schedule Meeting">
      <BasicFields control={control} from={from} />
      <Repeating control={control} from={from} />
      <FormField control={control} name="participants">
        {({ value, onChange, error, ref }) => (
          <ParticipantsField
            value={value}
            onChange={onChange}
            error={error}
            organizerId={me._id}
            isRequired
            ref={ref}
          />
        )}
      </FormField>
      <Availability form={form} organizerId={me._id} from={from} />
      <DetailFields control={control} linkHint="https://meet.example.com/your-meeting" />
      <AgendaFormField form={form} known={[me]} />
    </DialogForm>
  );
}
