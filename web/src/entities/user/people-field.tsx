import { useState } from 'react';
import { useDebounced } from '../../lib/hooks/use-debounced.ts';
import { PeoplePicker, type PeoplePickerProps, type Pickable } from './people-picker.tsx';
import { failureOf, usePeople, usePeopleOf } from './use-people.ts';

type Props = Omit<PeoplePickerProps, 'people' | 'onSearch' | 'failure'> & {
  /** Ids that are not offered, such as the current user's. */
  without?: readonly string[];
};

/** Ids per request. */
const MOST = 100;

/** Active users, found by the server. Selected users keep their names when results change. */
export function PeopleField({ without = [], known = [], ...picker }: Props) {
  const [words, setWords] = useState('');
  const [seen, setSeen] = useState(() => byId(known));
  const answer = usePeople(useDebounced(words));
  // A restored form may contain users that no loaded list includes.
  const strangers = picker.value.filter((id) => !seen.has(id));
  const named = usePeopleOf(strangers.slice(0, MOST));
  const found = answer.data?.data ?? [];
  const news = [...known, ...found, ...(named.data?.data ?? [])].filter(({ _id }) => !seen.has(_id));
  if (news.length > 0) setSeen(new Map([...seen, ...byId(news)]));
  return (
    <PeoplePicker
      {...picker}
      people={answer.data && found.filter(({ _id }) => !without.includes(_id))}
      known={[...seen.values()]}
      onSearch={setWords}
      failure={failureOf(answer)}
    />
  );
}

const byId = (people: readonly Pickable[]): ReadonlyMap<string, Pickable> =>
  new Map(people.map((person) => [person._id, person]));
