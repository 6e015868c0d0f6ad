import type { EventOf } from '@atrium/proto-events/event';
import { sessionRevoked } from '@atrium/proto-events/events/auth';
import type { sessionsEnded } from '@atrium/proto-events/events/users';
import { appendEvent } from '@atrium/service-kit/outbox';
import type { Queryable } from '@atrium/service-kit/postgres';
import { deleteSessionsBefore } from './session-repository.ts';

/**
 * Removes the sessions a person had before. Each is told by itself as well: an access token renewed in the instant between the
 * change and its arrival here is younger than `validAfter`, but its session is not.
 */
export async function removeEndedSessions(event: EventOf<typeof sessionsEnded>, tx: Queryable): Promise<void> {
  const { userId, validAfter, reason } = event.data;
  for (const sessionId of await deleteSessionsBefore(tx, userId, validAfter)) {
    await appendEvent(tx, {
      event: sessionRevoked,
      data: { userId, sessionId, reason },
      aggregate: userId,
      actorId: event.actorId,
    });
  }
}
