import type { listSessions, revokeSession, Session } from '@atrium/proto-events/http/auth';
import { call } from '../../lib/api/api.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { useRefresh } from '../../realtime/use-refresh.ts';
import { useShow } from '../../realtime/use-show.ts';

export type { Session };

/** Where the person is signed in. */
export function useSessions() {
  return useRead<typeof listSessions>('GET /auth/sessions', { query: { limit: 100 } });
}

/** Signs one of them out. */
export function useRevokeSession(): (session: Session) => Promise<void> {
  const refresh = useRefresh();
  const show = useShow<Session>('session');
  return async ({ _id }) => {
    await call<typeof revokeSession>('DELETE /auth/sessions/:id', { params: { id: _id } });
    show.gone((other) => other._id === _id);
    refresh('/auth/sessions');
  };
}
