import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { useRooms } from '#entities/meeting/use-rooms.ts';
import type { FieldProps } from '#ui/fields/field.tsx';
import { Select } from '#ui/fields/select.tsx';

type Props = Omit<FieldProps<string>, 'label'> & {
  /** The meeting's current room, even if it was deleted or the user cannot book it. */
  present?: Meeting['room'];
};

const NONE = 'none';

/** Selects an optional room; renders nothing without rooms. */
export function RoomField({ present, value, onChange, ...field }: Props) {
  const rooms = useRooms().data?.data ?? [];
  const options = rooms
    .filter(({ abilities, _id }) => abilities.book || _id === present?._id)
    .map(({ _id, name, size }) => ({ value: _id, label: `${name} (seats ${size})` }));
  if (present && !options.some((option) => option.value === present._id))
    options.push({ value: present._id, label: present.name });
  if (options.length === 0) return null;
  return (
    <Select
      {...field}
      label="Room (optional)"
      value={value === '' ? NONE : value}
      onChange={(chosen) => onChange(chosen === NONE ? '' : chosen)}
      options={[{ value: NONE, label: 'No room' }, ...options]}
    />
  );
}
