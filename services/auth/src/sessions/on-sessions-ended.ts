import type { EventOf } from '@atrium/proto-events/event';
import type { sessionsEnded } from '@atrium/proto-events/events/users';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { endSessions } from './end-sessions.ts';

/**
 * Removes the sessions a person had before. Each is told by itself as well: an access token renewed in the instant between the
 * change and its arrival here is younger than `validAfter`, but its session is not.
 */
export async function removeEndedSessions(event: EventOf<typeof sessionsEnded>, tx: Queryable): Promise<void> {
  const { userId, validAfter, reason } = event.data;
  await endSessions(tx, { userId, reason, actorId: event.actorId, before: validAfter });
}
