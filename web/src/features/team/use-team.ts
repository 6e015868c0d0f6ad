import type { listUsers } from '@atrium/proto-events/http/users';
import { useAllDepartments } from '../../entities/department/use-all-departments.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { isId } from '../../lib/is-id.ts';

/** As many as the server gives at once; whoever has more turns pages. */
const PAGE_SIZE = 100;

export type TeamFilters = { search: string; department: string; page: string };

export function useTeam({ search, department, page }: TeamFilters) {
  // The address may hold anything; the server refuses what is no id, so that is not sent.
  const known = isId(department) ? { department } : {};
  return useRead<typeof listUsers>('GET /users', { query: { search, page, limit: PAGE_SIZE, ...known } });
}

/** Those that are in use: active, or not quite empty yet. */
export function useTeamDepartments() {
  const answer = useAllDepartments();
  const departments = answer.data?.data.filter(({ isActive, employeeCount }) => isActive || employeeCount > 0);
  return { departments, hasFailed: answer.error !== undefined };
}
