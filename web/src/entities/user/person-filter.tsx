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
  const found = data?.data ?? [];
  const isFound = value === '' || found.some(({ _id }) => _id === value);
  const chosen = useUser(isFound ? null : value).data;
  const people = chosen && !isFound ? [chosen, ...found] : found;
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
