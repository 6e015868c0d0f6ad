import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { type Control, useWatch } from 'react-hook-form';
import { rangeInMeetingZone, TYPE_LABELS, zoneName } from '#entities/meeting/meeting-labels.ts';
import { useRooms } from '#entities/meeting/use-planning.ts';
import { ProjectField } from '#entities/project/project-field.tsx';
import { FormField } from '#lib/forms/form-field.tsx';
import { dayOfDate } from '#lib/time/day.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';
import type { FieldProps } from '#ui/fields/field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { DatePicker } from '#ui/times/date-picker.tsx';
import { TimePicker } from '#ui/times/time-picker.tsx';
import { repeatedTimeText, type Times, toInstants } from './meeting-times.ts';
import type { MeetingValues } from './meeting-values.ts';

const TYPES = Object.entries(TYPE_LABELS).map(([value, label]) => ({ value, label }));

export type FieldsProps<Out> = { control: Control<MeetingValues, unknown, Out> };

type BasicFieldsProps<Out> = FieldsProps<Out> & {
  timezone?: string;
  initialTimes?: Times | undefined;
};

export function BasicFields<Out>({ control, timezone, initialTimes }: BasicFieldsProps<Out>) {
  const [date, startTime, endTime] = useWatch({ control, name: ['date', 'startTime', 'endTime'] });
  const when = { date, startTime, endTime };
  return (
    <>
      <FormField control={control} name="title">
        {(field) => <TextField {...field} label="Title" isRequired autoFocus />}
      </FormField>
      <FieldRow>
        <FormField control={control} name="type">
          {(field) => <Select {...field} label="Type" options={TYPES} placeholder="Choose a type" isRequired />}
        </FormField>
        <FormField control={control} name="date">
          {(field) => <DatePicker {...field} label="Date" firstDay={dayOfDate(new Date())} isRequired />}
        </FormField>
      </FieldRow>
      <FieldRow>
        <FormField control={control} name="startTime">
          {(field) => (
            <TimePicker
              {...field}
              label="Start time"
              description={repeatedTimeText(when, initialTimes) ?? `Times in ${zoneName(browserTimeZone())}`}
              isRequired
            />
          )}
        </FormField>
        <FormField control={control} name="endTime">
          {(field) => (
            <TimePicker
              {...field}
              label="End time"
              after={startTime}
              description={timezone && meetingZoneText({ ...toInstants(when, initialTimes), timezone })}
              isRequired
            />
          )}
        </FormField>
      </FieldRow>
    </>
  );
}

function meetingZoneText({ startTime, endTime, timezone }: ReturnType<typeof toInstants> & { timezone: string }) {
  return startTime !== undefined && endTime !== undefined
    ? rangeInMeetingZone({ startTime, endTime, timezone })
    : undefined;
}

type DetailFieldsProps<Out> = FieldsProps<Out> & { linkHint?: string; room?: Meeting['room'] };

export function DetailFields<Out>({ control, linkHint, room }: DetailFieldsProps<Out>) {
  return (
    <>
      <FieldRow>
        <FormField control={control} name="meetingLink">
          {(field) => (
            <TextField
              {...field}
              label="Meeting link"
              type="url"
              placeholder={linkHint ?? ''}
              autoComplete="off"
              isRequired
            />
          )}
        </FormField>
        <FormField control={control} name="location">
          {(field) => <TextField {...field} label="Location" />}
        </FormField>
      </FieldRow>
      <FormField control={control} name="room">
        {({ ref: _ref, ...field }) => <RoomField {...field} {...(room && { currentRoom: room })} />}
      </FormField>
      <FormField control={control} name="project">
        {(field) => <ProjectField {...field} />}
      </FormField>
      <FormField control={control} name="description">
        {(field) => <TextArea {...field} label="Description" rows={2} />}
      </FormField>
      <FormField control={control} name="agenda">
        {(field) => <TextArea {...field} label="Agenda" />}
      </FormField>
    </>
  );
}

type RoomFieldProps = Omit<FieldProps<string>, 'label'> & {
  /** The meeting's current room, even if it was deleted or the user cannot book it. */
  currentRoom?: Meeting['room'];
};

const NO_ROOM = 'none';

function RoomField({ currentRoom, value, onChange, ...field }: RoomFieldProps) {
  const rooms = useRooms().data?.data ?? [];
  const options = rooms
    .filter(({ abilities, _id }) => abilities.book || _id === currentRoom?._id)
    .map(({ _id, name, size }) => ({ value: _id, label: `${name} (seats ${size})` }));
  if (currentRoom && !options.some((option) => option.value === currentRoom._id))
    options.push({ value: currentRoom._id, label: currentRoom.name });
  if (options.length === 0) return null;
  return (
    <Select
      {...field}
      label="Room (optional)"
      value={value === '' ? NO_ROOM : value}
      onChange={(chosen) => onChange(chosen === NO_ROOM ? '' : chosen)}
      options={[{ value: NO_ROOM, label: 'No room' }, ...options]}
    />
  );
}
