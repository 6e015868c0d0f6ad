import { zodResolver } from '@hookform/resolvers/zod';
import { showFieldErrors } from '../../../lib/api/server-errors.ts';
import type { Day } from '../../../lib/day.ts';
import { FormField } from '../../../lib/forms/form-field.tsx';
import { useEntryForm } from '../../../lib/forms/use-entry-form.ts';
import { useStoredDraft } from '../../../lib/forms/use-stored-draft.ts';
import { useRepeatable } from '../../../lib/hooks/use-repeatable.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { DraftNotice } from '../../../ui/draft-notice.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { FormFailure } from '../../../ui/forms/form-failure.tsx';
import { Dialog, DialogBody } from '../../../ui/overlays/dialog.tsx';
import { reportFailure } from '../../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../../ui/overlays/toast.ts';
import { AgendaOfForm } from '../agenda/agenda-of-form.tsx';
import type { Span } from '../layout/span.ts';
import { Availability } from '../planning/availability.tsx';
import { useMeetingActions } from '../use-meeting-actions.ts';
import { WhatAndWhen, WhereAndWhy } from './meeting-fields.tsx';
import { MEETING_FIELDS, scheduleSchema, timesOf } from './meeting-schema.ts';
import { newValues } from './meeting-values.ts';
import { ParticipantsField } from './participants-field.tsx';
import { Repeating } from './recurrence-fields.tsx';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  day: Day | '';
  /** A time that was marked in a calendar, in milliseconds since 1970. */
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
  const form = useEntryForm({
    resolver: zodResolver(scheduleSchema(at)),
    defaultValues: newValues(day, Date.now(), at),
  });
  const from = at && timesOf(at);
  const place = 'meeting:new';
  const draft = useStoredDraft(form, place);
  const create = useRepeatable(place, useMeetingActions().create);
  const submit = form.handleSubmit(async (body) => {
    try {
      await create(body);
      showSuccess('Meeting created successfully! Invitations sent to participants.');
      onDone();
    } catch (error) {
      const isPlaced = showFieldErrors(error, MEETING_FIELDS, form.setError);
      reportFailure({ form, isPlaced }, error, 'Failed to create meeting');
    }
  });
  const { control } = form;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <FormFailure failure={form.failure} />
        <DraftNotice draft={draft} />
        <WhatAndWhen control={control} from={from} />
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
        <WhereAndWhy control={control} linkHint="https://meet.example.com/your-meeting" />
        <AgendaOfForm form={form} known={[me]} />
      </DialogBody>
      <FormFoot isBusy={form.formState.isSubmitting} action="Schedule Meeting" />
    </form>
  );
}
