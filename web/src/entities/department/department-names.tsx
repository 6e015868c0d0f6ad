import { isolate } from '@atrium/proto-events/text/isolate';
import { useAllDepartments } from './use-departments.ts';

type Props = {
  ids: readonly string[];
  /** Departments to fall back on while the list is loading. */
  knownDepartments?: readonly { _id: string; name: string }[];
};

export function DepartmentNames({ ids, knownDepartments = [] }: Props) {
  const allDepartments = useAllDepartments().data?.data ?? [];
  const nameOf = (id: string) =>
    [...allDepartments, ...knownDepartments].find(({ _id }) => _id === id)?.name ?? 'Unknown department';
  return (
    ids
      .filter(Boolean)
      .map((id) => isolate(nameOf(id)))
      .join(', ') || 'None'
  );
}
