import { accountSecured, sessionRevoked } from '@atrium/proto-events/events/auth';
import { appendEvent, appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { lockAccount } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';
import { deleteSessions, deleteUnusedSessions } from './session-repository.ts';

type SessionEnd = { userId: string; reason: string; actorId: string | null };
type EndSessionsParams = SessionEnd & {
  before?: number;
  except?: string;
};

/**
 * Returns the ids of the ended sessions, each published as an event. Locks the account first, which prevents deadlocks and concurrent sign-
 * ins.
 */
export async function endSessions(
  tx: Queryable,
  { userId, reason, actorId, ...which }: EndSessionsParams,
): Promise<string[]> {
  await lockAccount(tx, userId);
  const ended = await deleteSessions(tx, userId, { ...which, reason });
  await publishSessionsRevoked(tx, ended, { userId, reason, actorId });
  return ended;
}

/** A script that signs in for every call would create tens of thousands of sessions per month. */
export const MAX_SESSIONS = 100;

/** Each sign-in ends at most this many, because it waits for them. */
const MAX_ENDED_PER_SIGN_IN = 500;

/** Best effort: a failure does not affect the sign-in, and the next one retries. */
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
        keep: MAX_SESSIONS,
        max: MAX_ENDED_PER_SIGN_IN,
        reason,
      });
      await publishSessionsRevoked(tx, unused, { userId, reason, actorId: null });
      return unused;
    });
    for (const id of ended) revocations.add(id);
  } catch (error) {
    log.warn({ err: error, userId }, 'Failed to end sessions beyond the limit');
  }
}

export function publishSessionsRevoked(
  tx: Queryable,
  sessionIds: readonly string[],
  { userId, reason, actorId }: SessionEnd,
): Promise<void> {
  const toEvent = (sessionId: string) => ({
    event: sessionRevoked,
    data: { userId, sessionId, reason },
    aggregate: userId,
    actorId,
  });
  return appendEvents(tx, sessionIds.map(toEvent));
}

type SecureAccountParams = z.input<typeof accountSecured.data> & { actorId: string; except?: string };

/**
 * Ends sessions for security, and publishes that also for a user without sessions. Returns the ids of the ended
 * sessions.
 */
export async function secureAccount(
  tx: Queryable,
  { userId, reason, actorId, ...which }: SecureAccountParams,
): Promise<string[]> {
  await appendEvent(tx, { event: accountSecured, data: { userId, reason }, aggregate: userId, actorId });
  return endSessions(tx, { userId, reason, actorId, ...which });
}
