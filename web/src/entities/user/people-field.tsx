import { useState } from 'react';
import { useDebounced } from '../../lib/hooks/use-debounced.ts';
import { PeoplePicker, type PeoplePickerProps, type Pickable } from './people-picker.tsx';
import { failureOf, usePeople, usePeopleOf } from './use-people.ts';

type Props = Omit<PeoplePickerProps, 'people' | 'onSearch' | 'failure'> & {
  /** Not offered: such as oneself, and who is in it already. */
  without?: readonly string[];
};

/** People that are asked for at once. */
const MOST = 100;

/** Active people, found by the server. Whoever is chosen keeps their name, whatever it finds next. */
export function PeopleField({ without = [], known = [], ...picker }: Props) {
  const [words, setWords] = useState('');
  const [seen, setSeen] = useState(() => byId(known));
  const answer = usePeople(useDebounced(words));
  // Those of a form that is restored may be of no list that this field has had.
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
