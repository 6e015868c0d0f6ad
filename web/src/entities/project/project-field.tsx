import type { getProject, listMyProjects, listProjects } from '@atrium/proto-events/http/projects';
import { useState } from 'react';
import { useRead } from '../../lib/cache/use-read.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { ComboBox } from '../../ui/fields/combo-box.tsx';
import type { FieldProps } from '../../ui/fields/field.tsx';

type Props = Pick<FieldProps<string>, 'value' | 'onChange' | 'error' | 'description'> & {
  /** Only projects that this person manages or is in. */
  isOwn?: boolean;
};

/** A project that something belongs to, found by typing, or none. */
export function ProjectField({ isOwn = false, ...field }: Props) {
  const [words, setWords] = useState('');
  const search = useDebounced(words);
  const input = { query: { search, limit: 100 } };
  const all = useRead<typeof listProjects>('GET /projects', isOwn ? null : input);
  const own = useRead<typeof listMyProjects>('GET /projects/my-projects', isOwn ? input : null);
  const { data, error, isLoading } = isOwn ? own : all;
  const found = data?.data ?? [];
  const isFound = field.value === '' || found.some(({ _id }) => _id === field.value);
  const chosen = useRead<typeof getProject>('GET /projects/:id', isFound ? null : { params: { id: field.value } }).data;
  const projects = chosen && !isFound ? [chosen, ...found] : found;
  return (
    <ComboBox
      {...field}
      label="Project (optional)"
      placeholder="Type the name of a project"
      options={projects.map(({ _id, name }) => ({ value: _id, label: name }))}
      onSearch={setWords}
      isSearching={words !== search || isLoading}
      description={error ? 'The list of projects could not be loaded' : field.description}
    />
  );
}
