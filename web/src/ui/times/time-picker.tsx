import type { Ref } from 'react';
import type { FieldProps } from '../fields/field.tsx';
import { Select } from '../fields/select.tsx';

/** Every half hour of a day as `HH:MM` (specification, section 9). */
export const HALF_HOURS: readonly string[] = Array.from({ length: 48 }, (_, index) => {
  const hour = String(Math.floor(index / 2)).padStart(2, '0');
  return `${hour}:${index % 2 === 0 ? '00' : '30'}`;
});

const options = HALF_HOURS.map((time) => ({ value: time, label: time }));

type Props = FieldProps<string> & { placeholder?: string; ref?: Ref<HTMLButtonElement> };

export function TimePicker({ placeholder = 'Pick a time', value, ...rest }: Props) {
  // A time off the grid, as another client may have set it, stays choosable as it is.
  const offGrid = value && !HALF_HOURS.includes(value) ? [{ value, label: value }, ...options] : options;
  return <Select {...rest} value={value} options={offGrid} placeholder={placeholder} />;
}
