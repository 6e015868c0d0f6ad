import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { useWatch } from 'react-hook-form';
import { timeInMeetingZone } from '#entities/meeting/meeting-labels.ts';
import { UsersField } from '#entities/user/users-field.tsx';
import { FormField } from '#lib/forms/form-field.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { SeriesScopeField } from '../series-scope-field.tsx';
import { useMeetingActions } from '../use-meeting-actions.ts';
import { AgendaFormField } from './agenda-field.tsx';
import { Availability } from './availability.tsx';
import { BasicFields, DetailFields, type FieldsProps } from './meeting-fields.tsx';
import { editSchema } from './meeting-schema.ts';
import { MEETING_TEXTS } from './meeting-texts.tsx';
import { valuesOf } from './meeting-values.ts';
import { RecurrenceFields, Repeating } from './recurrence-fields.tsx';

type Props = { meeting: Meeting; onClose: () => void };

export function EditMeetingDialog({ meeting, onClose }: Props) {
  const scheduledTime = timeInMeetingZone(meeting);
  const { update } = useMeetingActions();
  const editing = useVersionedForm({
    resource: meeting,
    valuesOf,
    fields: MEETING_TEXTS,
    // Changes are relative to the version that is being saved.
    schema: editSchema,
    draft: `meeting:${meeting._id}`,
    save: ({ body, scope }, version) => update(meeting._id, { ...body, version }, scope),
    messages: { saved: 'Meeting updated successfully', failed: 'Failed to update meeting' },
    onSaved: onClose,
  });
  const { control } = editing;
  return (
    <FormDialog
      form={editing}
      title="Edit Meeting"
      width="lg"
      description={scheduledTime && `It was scheduled for ${scheduledTime}.`}
      onClose={onClose}
      resourceLabel="this meeting"
      action="Save Changes"
    >
      <BasicFields control={control} timezone={meeting.timezone} initialTimes={editing.base} />
      {editing.base.isRecurring ? (
        <SeriesFields control={control} meeting={editing.base} />
      ) : (
        <Repeating control={control} meeting={editing.base} />
      )}
      <FormField control={control} name="participants">
        {({ value, onChange, error }) => (
          <UsersField
            label="Participants"
            value={value}
            onChange={onChange}
            error={error}
            excludedIds={[meeting.organizer._id]}
            knownUsers={meeting.participants}
          />
        )}
      </FormField>
      <Availability
        form={editing.form}
        organizerId={meeting.organizer._id}
        except={meeting._id}
        initialTimes={editing.base}
      />
      <DetailFields control={control} room={meeting.room} />
      <AgendaFormField form={editing.form} loadedPeople={meeting.participants} />
    </FormDialog>
  );
}

function SeriesFields<Out>({ control, meeting }: FieldsProps<Out> & { meeting: Meeting }) {
  const scope = useWatch({ control, name: 'scope' });
  return (
    <>
      <FormField control={control} name="scope">
        {({ value, onChange }) => (
          <SeriesScopeField
            label="Apply to"
            value={value}
            onChange={onChange}
            description={
              value === 'this' ? undefined : 'Their details and participants are replaced with those in this form.'
            }
          />
        )}
      </FormField>
      {scope !== 'this' && <RecurrenceFields control={control} meeting={meeting} />}
    </>
  );
}
