import type { CallOf } from '@atrium/proto-events/endpoint';
import type { listSessions } from '@atrium/proto-events/http/auth';
import type { listInvites } from '@atrium/proto-events/http/invitations';
import type {
  getPreferences,
  getUser,
  getUserStats,
  listProjectManagers,
  listUsers,
} from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import type { SWRResponse } from 'swr';
import { isId } from '#lib/paths.ts';
import { useRead } from '#lib/query/use-read.ts';

export function useUsers(search: string | null = '', limit = 100) {
  return useRead<typeof listUsers>(
    'GET /users',
    search === null ? null : { query: { status: 'active', search, limit } },
  );
}

export function toRetryableFailure({
  error,
  mutate,
  isValidating,
}: Pick<SWRResponse, 'error' | 'mutate' | 'isValidating'>) {
  return error ? { onRetry: () => void mutate(), isRetrying: isValidating } : undefined;
}

export function useProjectManagers(search = '') {
  return useRead<typeof listProjectManagers>('GET /users/project-managers', { query: { search, limit: 100 } });
}

export const NO_DEPARTMENT = 'none';

type SortBy = NonNullable<CallOf<typeof listUsers>['query']>['sortBy'];
const SORTS: readonly SortBy[] = ['lastName', 'name', 'role', 'department', 'status', 'lastLogin'];

type Filters = { role?: string; status?: string; department?: string; sort?: string; order?: string };

export function useUserPage({
  search,
  page,
  limit,
  ...otherFilters
}: Filters & { search: string; page: string; limit: number }) {
  return useRead<typeof listUsers>('GET /users', { query: { search, page, limit, ...filters(otherFilters) } });
}

/** The URL may hold any value; those that the server would reject are not sent. */
function filters({ role, status, department = '', sort, order }: Filters) {
  const sortBy = SORTS.find((candidate) => candidate === sort);
  return {
    ...(role === 'admin' || role === 'project_manager' || role === 'member' ? ({ role } as const) : {}),
    ...(status === 'active' || status === 'inactive' ? ({ status } as const) : {}),
    ...(isId(department) || department === NO_DEPARTMENT ? { department } : {}),
    ...(sortBy && ({ sortBy, sortOrder: order === 'desc' ? 'desc' : 'asc' } as const)),
  };
}

export function useUser(id: string | null, fallback?: User) {
  const options = { keepPreviousData: false, fallbackData: fallback };
  return useRead<typeof getUser>('GET /users/:id', id === null ? null : { params: { id } }, options);
}

export function useUserStats() {
  return useRead<typeof getUserStats>('GET /users/stats/overview', {});
}

export function useUsersByIds(ids: readonly string[]) {
  return useRead<typeof listUsers>(
    'GET /users',
    ids.length === 0 ? null : { query: { ids: ids.join(','), limit: 100 } },
  );
}

const INVITATIONS_PER_PAGE = 10;

export function useInvitations(isAllowed: boolean, page = '1') {
  return useRead<typeof listInvites>(
    'GET /auth/invites',
    isAllowed ? { query: { page, limit: INVITATIONS_PER_PAGE } } : null,
  );
}

export function usePreferences() {
  return useRead<typeof getPreferences>('GET /users/profile/preferences', {});
}

export function useSessions() {
  return useRead<typeof listSessions>('GET /auth/sessions', { query: { limit: 100 } });
}
