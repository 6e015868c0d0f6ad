import { useState } from 'react';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { ComboBox } from '#ui/fields/combo-box.tsx';
import { useUser, useUsers } from './use-users.ts';
import { displayName } from './user-labels.ts';

type Props = { label: string; placeholder: string; value: string; onChange: (id: string) => void };

export function UserFilter({ label, placeholder, value, onChange }: Props) {
  const [text, setText] = useState('');
  const search = useDebounced(text);
  const { data, isLoading } = useUsers(search);
  const results = data?.data ?? [];
  const isInResults = value === '' || results.some(({ _id }) => _id === value);
  const selectedUser = useUser(isInResults ? null : value).data;
  const users = selectedUser && !isInResults ? [selectedUser, ...results] : results;
  return (
    <ComboBox
      label={label}
      isLabelHidden
      placeholder={placeholder}
      value={value}
      onChange={onChange}
      options={users.map((user) => ({ value: user._id, label: displayName(user) }))}
      onSearch={setText}
      isSearching={text !== search || isLoading}
    />
  );
}
