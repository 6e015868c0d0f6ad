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

/** The description of a field that adds all members of a project. */
export const PROJECT_MEMBERS = 'Everyone on this project, including future members';

export function ProjectField({
  isOwn = false,
  label = 'Project (optional)',
  placeholder = 'Type the name of a project',
  ...field
}: Props) {
  const [text, setText] = useState('');
  const search = useDebounced(text);
  const query = { search, limit: 100 };
  const allProjects = useProjects(isOwn ? null : query);
  const myProjects = useMyProjects(isOwn ? query : null);
  const { data, error, isLoading } = isOwn ? myProjects : allProjects;
  const results = data?.data ?? [];
  const isInResults = field.value === '' || results.some(({ _id }) => _id === field.value);
  const selectedProject = useProject(isInResults ? null : field.value).data;
  const projects = selectedProject && !isInResults ? [selectedProject, ...results] : results;
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
