import type { CallOf } from '@atrium/proto-events/endpoint';
import type { endUserSessions } from '@atrium/proto-events/http/auth';
import type { createResetLink } from '@atrium/proto-events/http/passwords';
import type { deleteUser, getUser, getUserStats, listUsers, updateUser } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { call } from '../../lib/api/api.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { isId } from '../../lib/is-id.ts';
import { useRefresh } from '../../realtime/use-refresh.ts';
import { useShow } from '../../realtime/use-show.ts';

const PAGE_SIZE = 10;

export type UserFilters = { search: string; role: string; status: string; department: string; page: string };

export function useUserList({ search, role, status, department, page }: UserFilters) {
  return useRead<typeof listUsers>('GET /users', {
    query: { search, page, limit: PAGE_SIZE, ...filters({ role, status, department }) },
  });
}

/** The address may hold anything; the server refuses what is not one of its values, so that is not sent. */
function filters({ role, status, department }: Pick<UserFilters, 'role' | 'status' | 'department'>) {
  return {
    ...(role === 'admin' || role === 'project_manager' || role === 'member' ? ({ role } as const) : {}),
    ...(status === 'active' || status === 'inactive' ? ({ status } as const) : {}),
    ...(isId(department) ? { department } : {}),
  };
}

/** One person as they are now, at once as the list had them. */
export function useUser(listed: User) {
  return useRead<typeof getUser>('GET /users/:id', { params: { id: listed._id } }, { fallbackData: listed });
}

export function useUserStats() {
  return useRead<typeof getUserStats>('GET /users/stats/overview', {});
}

/** The writes; each shows what it has saved, and makes every list of people ask again. */
export function useUserActions() {
  const refresh = useRefresh();
  const show = useShow<User>('user');
  return {
    update: async (id: string, body: CallOf<typeof updateUser>['body']) => {
      show.saved(await call<typeof updateUser>('PATCH /users/:id', { params: { id }, body }));
      refresh('/users', '/departments');
    },
    remove: async (id: string) => {
      await call<typeof deleteUser>('DELETE /users/:id', { params: { id } });
      show.gone(({ _id }) => _id === id);
      refresh('/users', '/departments', '/auth/invites');
    },
    endSessions: (id: string) => call<typeof endUserSessions>('DELETE /users/:id/sessions', { params: { id } }),
    makeResetLink: (id: string) => call<typeof createResetLink>('POST /users/:id/reset-link', { params: { id } }),
  };
}
