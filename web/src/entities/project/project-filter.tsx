import { ActiveFilter } from '#ui/filter-bar.tsx';
import { useProject } from './use-projects.ts';

type Props = { id: string; label: string; onClear: () => void };

export function ProjectFilter({ id, label, onClear }: Props) {
  const { data, error } = useProject(id);
  const name = data?.name ?? (error ? 'an unknown project' : '…');
  return (
    <ActiveFilter title={name} onClear={onClear}>
      {label} of <strong dir="auto">{name}</strong>
    </ActiveFilter>
  );
}
