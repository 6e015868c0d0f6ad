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
  const ended = await deleteSessions(tx, userId, { ...which, reason });
  await tellEnded(tx, ended, { userId, reason, actorId });
  return ended;
}

/** Open sessions that one person may have. A script that signs in for each of its calls would gather tens of thousands in a month. */
export const MOST_SESSIONS = 100;

/** Of an account that has gathered them for long, so many end with each sign-in, which waits for it. */
const MOST_AT_ONCE = 500;

/** After a sign-in, ends those beyond the most that are least in use. It stands whether or not that works, and the next one goes on. */
export async function endUnusedSessions(
  { db, revocations, log }: Pick<Deps, 'db' | 'revocations' | 'log'>,
  { id: newest, userId }: { id: string; userId: string },
): Promise<void> {
  try {
    const ended = await db.transaction(async (tx) => {
      await lockAccount(tx, userId);
      const reason = 'too-many';
      const unused = await deleteUnusedSessions(tx, userId, {
        newest,
        kept: MOST_SESSIONS,
        most: MOST_AT_ONCE,
        reason,
      });
      await tellEnded(tx, unused, { userId, reason, actorId: null });
      return unused;
    });
    for (const id of ended) revocations.add(id);
  } catch (error) {
    log.warn({ err: error, userId }, 'sessions beyond the most were not ended');
  }
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
