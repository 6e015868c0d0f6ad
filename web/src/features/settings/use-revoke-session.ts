import type { revokeSession, Session } from '@atrium/proto-events/http/auth';
import { call } from '#lib/api/api.ts';
import { useCacheUpdate } from '#realtime/use-cache-update.ts';
import { useInvalidate } from '#realtime/use-invalidate.ts';

/** Ends one session. */
export function useRevokeSession(): (session: Session) => Promise<void> {
  const refresh = useInvalidate();
  const show = useCacheUpdate<Session>('session');
  return async ({ _id }) => {
    await call<typeof revokeSession>('DELETE /auth/sessions/:id', { params: { id: _id } });
    show.gone((other) => other._id === _id);
    refresh('/auth/sessions');
  };
}
