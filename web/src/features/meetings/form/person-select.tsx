import { isActive, personOptions } from '#entities/user/people-options.tsx';
import type { PersonLike } from '#entities/user/person.ts';
import type { Option } from '#ui/fields/option.tsx';
import { Select } from '#ui/fields/select.tsx';

const UNASSIGNED = { value: 'nobody', label: 'Unassigned' };

export const assigneeOptions = (people: readonly (PersonLike & Parameters<typeof isActive>[0])[]): Option[] => [
  UNASSIGNED,
  ...personOptions(people.filter(isActive)),
];

type Props = {
  label: string;
  isLabelHidden?: boolean;
  /** A user id, or empty for none. */
  value: string;
  onChange: (id: string) => void;
  /** Options returned by `assigneeOptions`. */
  options: readonly Option[];
};

export function PersonSelect({ value, onChange, ...field }: Props) {
  return (
    <Select
      {...field}
      value={value === '' ? UNASSIGNED.value : value}
      onChange={(chosen) => onChange(chosen === UNASSIGNED.value ? '' : chosen)}
    />
  );
}
