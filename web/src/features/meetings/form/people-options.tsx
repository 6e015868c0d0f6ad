import { isActive, personOptions } from '#entities/user/people-options.tsx';
import type { PersonLike } from '#entities/user/person.ts';
import type { Option } from '#ui/fields/option.tsx';

type Person = PersonLike & Parameters<typeof isActive>[0];

const UNASSIGNED = { value: 'nobody', label: 'Unassigned' };

/** Active users, without duplicates, and an option for none. */
export const peopleOptions = (people: readonly Person[]): Option[] => [
  UNASSIGNED,
  ...personOptions(people.filter(isActive)),
];

/** Form fields hold a user id, or empty for none. */
export const chosenOf = (value: string) => (value === '' ? UNASSIGNED.value : value);
export const idOf = (chosen: string) => (chosen === UNASSIGNED.value ? '' : chosen);
