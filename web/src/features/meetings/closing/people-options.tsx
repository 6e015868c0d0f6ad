import { isHere, personOptions } from '../../../entities/user/people-options.tsx';
import type { PersonLike } from '../../../entities/user/person.ts';
import type { Option } from '../../../ui/fields/option.tsx';

type Person = PersonLike & Parameters<typeof isHere>[0];

const NOBODY = { value: 'nobody', label: 'Unassigned' };

/** Active users, without duplicates, and an option for none. */
export const peopleOptions = (people: readonly Person[]): Option[] => [NOBODY, ...personOptions(people.filter(isHere))];

/** Form fields hold a user id, or empty for none. */
export const chosenOf = (value: string) => (value === '' ? NOBODY.value : value);
export const idOf = (chosen: string) => (chosen === NOBODY.value ? '' : chosen);
