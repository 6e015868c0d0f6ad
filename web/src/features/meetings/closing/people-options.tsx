import { isHere, personOptions } from '../../../entities/user/people-options.tsx';
import type { PersonLike } from '../../../entities/user/person.ts';
import type { Option } from '../../../ui/fields/option.tsx';

type Person = PersonLike & Parameters<typeof isHere>[0];

const NOBODY = { value: 'nobody', label: 'Unassigned' };

/** Who something can be given to, or nobody: those who are here, each once. */
export const peopleOptions = (people: readonly Person[]): Option[] => [NOBODY, ...personOptions(people.filter(isHere))];

/** As fields of a form have it: an id, or empty for nobody. */
export const chosenOf = (value: string) => (value === '' ? NOBODY.value : value);
export const idOf = (chosen: string) => (chosen === NOBODY.value ? '' : chosen);
