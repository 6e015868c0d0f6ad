import { isolate } from '@atrium/proto-events/text/isolate';
import { useAllDepartments } from './use-departments.ts';

type Props = {
  ids: readonly string[];
  /** Departments that the list may not contain any more. */
  known?: readonly { _id: string; name: string }[];
};

/** Departments by their ids, as text. */
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
