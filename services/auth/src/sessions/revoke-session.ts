import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { deleteSession } from './session-repository.ts';

/** Throws `not_found` for sessions of other users. */
export async function revokeSession({ db, revocations }: Deps, { userId }: Caller, sessionId: string): Promise<void> {
  const reason = 'signed-out';
  await db.transaction(async (tx) => {
    if (!(await deleteSession(tx, { id: sessionId, userId, reason }))) throw notFound('Session');
    await appendEvent(tx, {
      event: sessionRevoked,
      data: { userId, sessionId, reason },
      aggregate: userId,
      actorId: userId,
    });
  });
  revocations.add(sessionId);
}
