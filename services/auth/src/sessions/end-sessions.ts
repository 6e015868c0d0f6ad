import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { lockAccount } from '../accounts/account-repository.ts';
import { deleteSessions } from './session-repository.ts';

type Ending = {
  userId: string;
  reason: string;
  actorId: string | null;
  /** Only those that began before this moment, in milliseconds since 1970. */
  before?: number;
  /** The one that stays. */
  except?: string;
};

/**
 * Ends sessions of a person and tells each one by itself; answers their ids. The account is held first, so that of all who end
 * several sessions of one person at once none waits for another in a circle, and nobody signs in meanwhile.
 */
export async function endSessions(tx: Queryable, { userId, reason, actorId, ...which }: Ending): Promise<string[]> {
  await lockAccount(tx, userId);
  const ended = await deleteSessions(tx, userId, which);
  for (const sessionId of ended) {
    await appendEvent(tx, {
      event: sessionRevoked,
      data: { userId, sessionId, reason },
      aggregate: userId,
      actorId,
    });
  }
  return ended;
}
