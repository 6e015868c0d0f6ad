import type { EventOf } from '@atrium/proto-events/event';
import type { accountSecured } from '@atrium/proto-events/events/auth';
import { feedCreated } from '@atrium/proto-events/events/meetings';
import type { Feed } from '@atrium/proto-events/http/meeting-feed';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { Deps } from '../deps.ts';
import { deleteFeeds, type FeedRow, findFeed, hashToken, newToken, upsertFeed } from './feed-repository.ts';

export async function getFeed({ db }: Deps, caller: Caller): Promise<{ feed: Feed | null }> {
  const row = await findFeed(db, caller.userId);
  return { feed: row ? present(row) : null };
}

/** The secret is returned once: a user who lost it creates another. Its owner is notified by email. */
export async function createFeed({ db }: Deps, { userId }: Caller): Promise<{ feed: Feed; token: string }> {
  const token = newToken();
  const row = await db.transaction(async (tx) => {
    const created = await upsertFeed(tx, userId, hashToken(token));
    await appendEvent(tx, {
      event: feedCreated,
      data: { userId, at: created.created_at.toISOString() },
      aggregate: userId,
      actorId: userId,
    });
    return created;
  });
  return { feed: present(row), token };
}

export async function deleteFeed({ db }: Deps, caller: Caller): Promise<void> {
  await deleteFeeds(db, [caller.userId]);
}

const present = ({ created_at, read_at }: FeedRow): Feed => ({
  createdAt: created_at.toISOString(),
  readAt: read_at?.toISOString() ?? null,
});

/**
 * Revokes feeds of users who cannot sign in, so that they stay revoked on reactivation. Runs on every pod and retries during a database
 * outage; until then reading a feed is denied anyway. Feeds created after `detectedAt` stay.
 */
export function revokeFeeds(
  { db, directory, log }: { db: Db; directory: Directory; log: Logger },
  signal: AbortSignal,
): void {
  const revoke = (userIds: readonly string[]) => {
    const detectedAt = new Date();
    retryUntilDone('revoking calendar feeds', () => deleteFeeds(db, userIds, detectedAt), log, signal).catch(
      (err: unknown) => {
        if (!signal.aborted) log.error({ err }, 'Failed to revoke calendar feeds');
      },
    );
  };
  const inactiveIds = [...directory.users()].filter((person) => !isActive(person)).map(({ _id }) => _id);
  if (inactiveIds.length > 0) revoke(inactiveIds);
  directory.onUser((person: DirectoryUser) => {
    if (!isActive(person)) revoke([person._id]);
  });
}

/** Allows for clock differences between services and for the time until every pod knows the session has ended. */
const GRACE_MS = 10_000;

/** A feed needs no session, so it is revoked together with them. A feed created since then stays. */
export const revokeFeedOnAccountSecured = (
  { data: { userId }, occurredAt }: EventOf<typeof accountSecured>,
  tx: Queryable,
) => deleteFeeds(tx, [userId], new Date(Date.parse(occurredAt) + GRACE_MS));
