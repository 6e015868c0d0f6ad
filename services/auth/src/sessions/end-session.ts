import { sessionRevoked } from '@atrium/proto-events/events/auth';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { deleteSession } from './session-repository.ts';

/** Access tokens are revoked on every pod by the event. */
export async function endSession({ db, revocations }: Deps, { sessionId, userId }: Caller): Promise<void> {
  const reason = 'logout';
  await db.transaction(async (tx) => {
    await deleteSession(tx, { id: sessionId, userId, reason });
    await appendEvent(tx, {
      event: sessionRevoked,
      data: { userId, sessionId, reason },
      aggregate: userId,
      actorId: userId,
    });
  });
  revocations.add(sessionId);
}
