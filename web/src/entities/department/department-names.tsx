import { isolate } from '@atrium/proto-events/text/isolate';
import { useAllDepartments } from './use-departments.ts';

type Props = {
  ids: readonly string[];
  known?: readonly { _id: string; name: string }[];
};

export function DepartmentNames({ ids, known = [] }: Props) {
  const listed = useAllDepartments().data?.data ?? [];
  const nameOf = (id: string) => [...listed, ...known].find(({ _id }) => _id === id)?.name ?? 'Unknown department';
  return (
    ids
      .filter(Boolean)
      .map((id) => isolate(nameOf(id)))
      .join(', ') || 'None'
  );
}
