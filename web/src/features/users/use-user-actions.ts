import type { CallOf } from '@atrium/proto-events/endpoint';
import type { endUserSessions } from '@atrium/proto-events/http/auth';
import type { createResetLink } from '@atrium/proto-events/http/passwords';
import type { deleteUser, updateUser } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { call } from '#lib/api/api.ts';
import { useWrite } from '#realtime/use-write.ts';

export function useUserActions() {
  const write = useWrite<User>('user');
  return {
    update: async (id: string, body: CallOf<typeof updateUser>['body']) => {
      write.saved(await call<typeof updateUser>('PATCH /users/:id', { params: { id }, body }));
    },
    remove: async (id: string) => {
      await call<typeof deleteUser>('DELETE /users/:id', { params: { id } });
      write.deleted(({ _id }) => _id === id);
    },
    endSessions: (id: string) => call<typeof endUserSessions>('DELETE /users/:id/sessions', { params: { id } }),
    makeResetLink: (id: string) => call<typeof createResetLink>('POST /users/:id/reset-link', { params: { id } }),
  };
}
