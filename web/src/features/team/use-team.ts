import { useAllDepartments } from '#entities/department/use-departments.ts';
import { NO_DEPARTMENT, usePeoplePage } from '#entities/user/use-people.ts';

/** The server's maximum page size. */
const PAGE_SIZE = 100;

export type TeamFilters = { search: string; department: string; page: string };

export function useTeam(filters: TeamFilters) {
  return usePeoplePage({ ...filters, limit: PAGE_SIZE });
}

/** The number of people without a department; undefined until known. */
export function useWithoutDepartment(): number | undefined {
  return usePeoplePage({ search: '', department: NO_DEPARTMENT, page: '1', limit: 1 }).data?.total;
}

/** Active departments, and inactive ones that still have people. */
export function useTeamDepartments() {
  const answer = useAllDepartments();
  const departments = answer.data?.data.filter(({ isActive, employeeCount }) => isActive || employeeCount > 0);
  return { departments, hasFailed: answer.error !== undefined };
}
