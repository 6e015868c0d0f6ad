import type { EventOf } from '@atrium/proto-events/event';
import type { sessionsEnded } from '@atrium/proto-events/events/users';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { endSessions } from './end-sessions.ts';

/**
 * Publishes each session separately, because a token refreshed just before this event arrives is younger than
 * `validAfter`, but its session is not.
 */
export async function endUserSessions(event: EventOf<typeof sessionsEnded>, tx: Queryable): Promise<void> {
  const { userId, validAfter, reason } = event.data;
  await endSessions(tx, { userId, reason, actorId: event.actorId, before: validAfter });
}
