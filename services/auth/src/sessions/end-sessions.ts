import { accountSecured, sessionRevoked } from '@atrium/proto-events/events/auth';
import { appendEvent, appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { lockAccount } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';
import { deleteSessions, deleteUnusedSessions } from './session-repository.ts';

type SessionEnd = { userId: string; reason: string; actorId: string | null };
type EndSessionsParams = SessionEnd & {
  /** Ends only sessions that started before this Unix time in milliseconds. */
  before?: number;
  /** Id of a session that continues. */
  except?: string;
};

/**
 * Ends sessions, appends an event for each, and returns their ids. Locks the account first, which prevents deadlocks and
 * concurrent sign-ins.
 */
export async function endSessions(
  tx: Queryable,
  { userId, reason, actorId, ...filter }: EndSessionsParams,
): Promise<string[]> {
  await lockAccount(tx, userId);
  const endedIds = await deleteSessions(tx, userId, { ...filter, reason });
  await appendSessionsRevoked(tx, endedIds, { userId, reason, actorId });
  return endedIds;
}

/** A script that signs in for every call would create tens of thousands of sessions per month. */
export const MAX_SESSIONS = 100;

/** Each sign-in ends at most this many sessions, because it waits until they are ended. */
const MAX_ENDED_PER_SIGN_IN = 500;

/** Ends sessions beyond the limit. A failure does not affect the sign-in, and the next sign-in retries. */
export async function endUnusedSessions(
  { db, revocations, log }: Pick<Deps, 'db' | 'revocations' | 'log'>,
  { id: newest, userId }: { id: string; userId: string },
): Promise<void> {
  try {
    const endedIds = await db.transaction(async (tx) => {
      await lockAccount(tx, userId);
      const reason = 'too-many';
      const unusedIds = await deleteUnusedSessions(tx, userId, {
        newest,
        keep: MAX_SESSIONS,
        max: MAX_ENDED_PER_SIGN_IN,
        reason,
      });
      await appendSessionsRevoked(tx, unusedIds, { userId, reason, actorId: null });
      return unusedIds;
    });
    for (const id of endedIds) revocations.add(id);
  } catch (error) {
    log.warn({ err: error, userId }, 'Failed to end sessions beyond the limit');
  }
}

export function appendSessionsRevoked(
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

type EndSessionsForSecurityParams = z.input<typeof accountSecured.data> & { actorId: string; except?: string };

/**
 * Ends sessions for security, and appends an event even if the user has no sessions. Returns the ids of the ended
 * sessions.
 */
export async function endSessionsForSecurity(
  tx: Queryable,
  { userId, reason, actorId, ...filter }: EndSessionsForSecurityParams,
): Promise<string[]> {
  await appendEvent(tx, { event: accountSecured, data: { userId, reason }, aggregate: userId, actorId });
  return endSessions(tx, { userId, reason, actorId, ...filter });
}
