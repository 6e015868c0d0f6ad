import { Avatar } from '../../../entities/person/avatar.tsx';
import { displayName, type PersonLike } from '../../../entities/person/person.ts';
import type { Option } from '../../../ui/fields/option.tsx';

type Person = PersonLike & { status?: string | undefined; deleted?: true | undefined };

const NOBODY = { value: 'nobody', label: 'Nobody yet' };

/** Who something can be given to, or nobody: those who are here, each once. */
export function peopleOptions(people: readonly Person[]): Option[] {
  const here = people.filter(({ status, deleted }) => !deleted && status !== 'inactive');
  const once = [...new Map(here.map((person) => [person._id, person])).values()];
  return [
    NOBODY,
    ...once.map((person) => ({
      value: person._id,
      label: displayName(person),
      lead: <Avatar person={person} size={24} />,
    })),
  ];
}

/** As fields of a form have it: an id, or empty for nobody. */
export const chosenOf = (value: string) => (value === '' ? NOBODY.value : value);
export const idOf = (chosen: string) => (chosen === NOBODY.value ? '' : chosen);
