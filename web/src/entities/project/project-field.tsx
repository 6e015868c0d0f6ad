import { useState } from 'react';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { ComboBox } from '#ui/fields/combo-box.tsx';
import type { FieldProps } from '#ui/fields/field.tsx';
import { useMyProjects, useProject, useProjects } from './use-projects.ts';

type Props = Pick<FieldProps<string>, 'value' | 'onChange' | 'error' | 'description' | 'isLabelHidden'> & {
  label?: string;
  placeholder?: string;
  isOwn?: boolean;
};

export function ProjectField({
  isOwn = false,
  label = 'Project (optional)',
  placeholder = 'Type the name of a project',
  ...field
}: Props) {
  const [text, setText] = useState('');
  const search = useDebounced(text);
  const query = { search, limit: 100 };
  const all = useProjects(isOwn ? null : query);
  const own = useMyProjects(isOwn ? query : null);
  const { data, error, isLoading } = isOwn ? own : all;
  const found = data?.data ?? [];
  const isFound = field.value === '' || found.some(({ _id }) => _id === field.value);
  const chosen = useProject(isFound ? null : field.value).data;
  const projects = chosen && !isFound ? [chosen, ...found] : found;
  return (
    <ComboBox
      {...field}
      label={label}
      placeholder={placeholder}
      options={projects.map(({ _id, name }) => ({ value: _id, label: name }))}
      onSearch={setText}
      isSearching={text !== search || isLoading}
      description={error ? 'The list of projects could not be loaded' : field.description}
    />
  );
}
