import type { Option } from '#ui/fields/option.tsx';
import { Avatar } from './avatar.tsx';
import { displayName, type PersonLike } from './person.ts';

type AccountState = { status?: string | undefined; deleted?: true | undefined };

export const isActive = ({ status, deleted }: AccountState) => !deleted && status !== 'inactive';

export const personOptions = (
  people: readonly PersonLike[],
  labelOf: (person: PersonLike) => string = displayName,
): Option[] =>
  [...new Map(people.map((person) => [person._id, person])).values()].map((person) => ({
    value: person._id,
    label: labelOf(person),
    lead: <Avatar person={person} size={24} />,
  }));
