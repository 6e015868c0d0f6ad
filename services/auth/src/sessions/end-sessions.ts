import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { lockAccount } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';
import { deleteSessions, deleteUnusedSessions } from './session-repository.ts';

type Telling = { userId: string; reason: string; actorId: string | null };
type Ending = Telling & {
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
  await tellEnded(tx, ended, { userId, reason, actorId });
  return ended;
}

/** Open sessions that one person may have. A script that signs in for each of its calls would gather tens of thousands in a month. */
export const MOST_SESSIONS = 100;

/** After a sign-in, ends those beyond the most that have been without use for longest. */
export async function endUnusedSessions({ db, revocations }: Pick<Deps, 'db' | 'revocations'>, userId: string) {
  const ended = await db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    const unused = await deleteUnusedSessions(tx, userId, MOST_SESSIONS);
    await tellEnded(tx, unused, { userId, reason: 'too-many', actorId: null });
    return unused;
  });
  for (const id of ended) revocations.add(id);
}

function tellEnded(tx: Queryable, ended: readonly string[], { userId, reason, actorId }: Telling): Promise<void> {
  const tell = (sessionId: string) => ({
    event: sessionRevoked,
    data: { userId, sessionId, reason },
    aggregate: userId,
    actorId,
  });
  return appendEvents(tx, ended.map(tell));
}
