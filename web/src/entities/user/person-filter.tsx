import { useState } from 'react';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { ComboBox } from '#ui/fields/combo-box.tsx';
import { displayName } from './person.ts';
import { usePeople, useUser } from './use-people.ts';

type Props = { label: string; placeholder: string; value: string; onChange: (id: string) => void };

export function PersonFilter({ label, placeholder, value, onChange }: Props) {
  const [text, setText] = useState('');
  const search = useDebounced(text);
  const { data, isLoading } = usePeople(search);
  const results = data?.data ?? [];
  const isInResults = value === '' || results.some(({ _id }) => _id === value);
  const selectedPerson = useUser(isInResults ? null : value).data;
  const people = selectedPerson && !isInResults ? [selectedPerson, ...results] : results;
  return (
    <ComboBox
      label={label}
      isLabelHidden
      placeholder={placeholder}
      value={value}
      onChange={onChange}
      options={people.map((person) => ({ value: person._id, label: displayName(person) }))}
      onSearch={setText}
      isSearching={text !== search || isLoading}
    />
  );
}
