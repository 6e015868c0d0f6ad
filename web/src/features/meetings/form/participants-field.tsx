import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { type Ref, useState } from 'react';
import { PeoplePicker, type Pickable } from '../../../entities/person/people-picker.tsx';
import { failureOf, usePeople } from '../../../entities/person/use-people.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';

type Props = {
  value: readonly string[];
  onChange: (ids: string[]) => void;
  error: string | undefined;
  organizerId: string;
  /** Who is invited already, and stays choosable whatever the search. */
  invited?: Meeting['participants'];
  isRequired?: boolean;
  ref?: Ref<HTMLInputElement>;
};

/** People found by the server; whoever was chosen stays in sight when the search moves on. The organiser always comes. */
export function ParticipantsField(props: Props) {
  const { value, onChange, error, organizerId, invited = [], isRequired = false, ref } = props;
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<readonly Pickable[]>(invited);
  const answer = usePeople(useDebounced(words));
  const found = answer.data?.data.filter(({ _id }) => _id !== organizerId);
  const kept = chosen.filter(({ _id }) => value.includes(_id) && !found?.some((person) => person._id === _id));
  const people = found ? [...kept, ...found] : undefined;
  const change = (ids: string[]) => {
    setChosen((people ?? chosen).filter(({ _id }) => ids.includes(_id)));
    onChange(ids);
  };
  return (
    <PeoplePicker
      label="Participants"
      people={people}
      value={value}
      onChange={change}
      onSearch={setWords}
      error={error}
      failure={failureOf(answer)}
      isRequired={isRequired}
      {...(ref && { ref })}
    />
  );
}
