import { useState } from 'react';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { PeoplePicker, type PeoplePickerProps, type Pickable } from './people-picker.tsx';
import { failureOf, usePeople, usePeopleOf } from './use-people.ts';

type Props = Omit<PeoplePickerProps, 'people' | 'onSearch' | 'failure'> & {
  /** Ids that are not offered, such as the current user's. */
  without?: readonly string[];
};

/** Ids per request. */
const MAX_IDS = 100;

/** Active users, found by the server. Selected users keep their names when results change. */
export function PeopleField({ without = [], known = [], ...picker }: Props) {
  const [search, setSearch] = useState('');
  const [seen, setSeen] = useState(() => byId(known));
  const answer = usePeople(useDebounced(search));
  // A restored form may contain users that no loaded list includes.
  const unknownIds = picker.value.filter((id) => !seen.has(id));
  const lookup = usePeopleOf(unknownIds.slice(0, MAX_IDS));
  const found = answer.data?.data ?? [];
  const loadedUsers = [...known, ...found, ...(lookup.data?.data ?? [])].filter(({ _id }) => !seen.has(_id));
  if (loadedUsers.length > 0) setSeen(new Map([...seen, ...byId(loadedUsers)]));
  return (
    <PeoplePicker
      {...picker}
      people={answer.data && found.filter(({ _id }) => !without.includes(_id))}
      known={[...seen.values()]}
      onSearch={setSearch}
      failure={failureOf(answer)}
    />
  );
}

const byId = (people: readonly Pickable[]): ReadonlyMap<string, Pickable> =>
  new Map(people.map((person) => [person._id, person]));
