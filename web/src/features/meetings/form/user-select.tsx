import type { NamedUser } from '#entities/user/user-labels.ts';
import { isActive, userOptions } from '#entities/user/user-options.tsx';
import type { Option } from '#ui/fields/option.tsx';
import { Select } from '#ui/fields/select.tsx';

const UNASSIGNED = { value: 'nobody', label: 'Unassigned' };

export const assigneeOptions = (people: readonly (NamedUser & Parameters<typeof isActive>[0])[]): Option[] => [
  UNASSIGNED,
  ...userOptions(people.filter(isActive)),
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

export function UserSelect({ value, onChange, ...field }: Props) {
  return (
    <Select
      {...field}
      value={value === '' ? UNASSIGNED.value : value}
      onChange={(chosen) => onChange(chosen === UNASSIGNED.value ? '' : chosen)}
    />
  );
}
