import type { Ref } from 'react';
import type { FieldProps } from '../fields/field.tsx';
import { Select } from '../fields/select.tsx';

/** Every half hour of a day as `HH:MM` (specification, section 9). */
export const HALF_HOURS: readonly string[] = Array.from({ length: 48 }, (_, index) => {
  const hour = String(Math.floor(index / 2)).padStart(2, '0');
  return `${hour}:${index % 2 === 0 ? '00' : '30'}`;
});

const options = HALF_HOURS.map((time) => ({ value: time, label: time }));

/** `isDayEnd`: until when, which may be the end of the day and not its beginning. */
type Props = FieldProps<string> & { placeholder?: string; isDayEnd?: boolean; ref?: Ref<HTMLButtonElement> };

const untilTheEnd = [...options.slice(1), { value: '24:00', label: '24:00' }];

export function TimePicker({ placeholder = 'Pick a time', isDayEnd = false, value, ...rest }: Props) {
  const times = isDayEnd ? untilTheEnd : options;
  // A time off the grid, as another client may have set it, stays choosable as it is.
  const offGrid = value && !times.some((time) => time.value === value) ? [{ value, label: value }, ...times] : times;
  return <Select {...rest} value={value} options={offGrid} placeholder={placeholder} />;
}
