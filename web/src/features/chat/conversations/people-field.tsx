import { useState } from 'react';
import { PeoplePicker, type Pickable } from '../../../entities/person/people-picker.tsx';
import { failureOf, usePeople } from '../../../entities/person/use-people.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';

type Props = {
  label: string;
  value: readonly string[];
  onChange: (ids: string[]) => void;
  /** Not offered: oneself, and who is in it already. */
  without: readonly string[];
  mode?: 'single' | 'multiple';
};

/** Active people, found by the server; those chosen are remembered while another search shows others. */
export function PeopleField({ label, value, onChange, without, mode = 'multiple' }: Props) {
  const [words, setWords] = useState('');
  const people = usePeople(useDebounced(words));
  const [seen, setSeen] = useState<ReadonlyMap<string, Pickable>>(new Map());
  const found = people.data?.data.filter(({ _id }) => !without.includes(_id));
  const remember = (ids: string[]) => {
    const known = new Map(seen);
    for (const person of found ?? []) if (ids.includes(person._id)) known.set(person._id, person);
    setSeen(known);
    onChange(ids);
  };
  return (
    <PeoplePicker
      label={label}
      people={found && withChosen(found, value, seen)}
      value={value}
      onChange={remember}
      onSearch={setWords}
      failure={failureOf(people)}
      searchLabel="Search team members"
      mode={mode}
    />
  );
}

function withChosen(
  found: readonly Pickable[],
  value: readonly string[],
  seen: ReadonlyMap<string, Pickable>,
): Pickable[] {
  const hidden = value.filter((id) => !found.some(({ _id }) => _id === id)).flatMap((id) => seen.get(id) ?? []);
  return [...hidden, ...found];
}
