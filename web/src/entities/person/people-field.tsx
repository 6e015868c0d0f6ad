import { useState } from 'react';
import { useDebounced } from '../../lib/hooks/use-debounced.ts';
import { PeoplePicker, type PeoplePickerProps } from './people-picker.tsx';
import { failureOf, usePeople } from './use-people.ts';

type Props = Omit<PeoplePickerProps, 'people' | 'onSearch' | 'failure'> & {
  /** Not offered: such as oneself, and who is in it already. */
  without?: readonly string[];
};

/** Active people, found by the server. */
export function PeopleField({ without = [], ...picker }: Props) {
  const [words, setWords] = useState('');
  const answer = usePeople(useDebounced(words));
  const people = answer.data?.data.filter(({ _id }) => !without.includes(_id));
  return <PeoplePicker {...picker} people={people} onSearch={setWords} failure={failureOf(answer)} />;
}
