import { useAllDepartments } from '../../entities/department/use-departments.ts';
import { NO_DEPARTMENT, usePeoplePage } from '../../entities/user/use-people.ts';

/** As many as the server gives at once; whoever has more turns pages. */
const PAGE_SIZE = 100;

export type TeamFilters = { search: string; department: string; page: string };

export function useTeam(filters: TeamFilters) {
  return usePeoplePage({ ...filters, limit: PAGE_SIZE });
}

/** How many people have no department; undefined until it is known. */
export function useWithoutDepartment(): number | undefined {
  return usePeoplePage({ search: '', department: NO_DEPARTMENT, page: '1', limit: 1 }).data?.total;
}

/** Those that are in use: active, or not quite empty yet. */
export function useTeamDepartments() {
  const answer = useAllDepartments();
  const departments = answer.data?.data.filter(({ isActive, employeeCount }) => isActive || employeeCount > 0);
  return { departments, hasFailed: answer.error !== undefined };
}
