import { useState } from 'react';
import { displayName, roleLabel } from '#entities/user/person.ts';
import { useProjectManagers } from '#entities/user/use-people.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { ComboBox } from '#ui/fields/combo-box.tsx';
import type { FieldProps } from '#ui/fields/field.tsx';

type Props = Omit<FieldProps<string>, 'label'>;

/** Searches active administrators and project managers. */
export function ManagerField({ description, ...field }: Props) {
  const [search, setSearch] = useState('');
  const settled = useDebounced(search);
  const managers = useProjectManagers(settled);
  const options = (managers.data ?? []).map((person) => ({
    value: person._id,
    label: displayName(person),
    description: roleLabel(person.role),
  }));
  const failure = managers.error && 'The list of project managers could not be loaded. Close this and try again.';
  return (
    <ComboBox
      {...field}
      label="Project manager"
      options={options}
      onSearch={setSearch}
      isSearching={search !== settled || managers.isLoading}
      placeholder="Type a name"
      description={failure ?? description}
    />
  );
}
