import { feedCreated } from '@atrium/proto-events/events/meetings';
import type { Feed } from '@atrium/proto-events/http/meetings/calendar-feed';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { Deps } from '../deps.ts';
import { createToken, deleteFeeds, type FeedRow, findFeed, hashToken, upsertFeed } from './feed-repository.ts';

export async function getFeed({ db }: Deps, caller: Caller): Promise<{ feed: Feed | null }> {
  const row = await findFeed(db, caller.userId);
  return { feed: row ? presentFeed(row) : null };
}

/** Returns the secret once: a user who lost it creates a new one. The owner is notified by email. */
export async function createFeed({ db }: Deps, { userId }: Caller): Promise<{ feed: Feed; token: string }> {
  const token = createToken();
  const row = await db.transaction(async (tx) => {
    const feed = await upsertFeed(tx, userId, hashToken(token));
    await appendEvent(tx, {
      event: feedCreated,
      data: { userId, at: feed.created_at.toISOString() },
      aggregate: userId,
      actorId: userId,
    });
    return feed;
  });
  return { feed: presentFeed(row), token };
}

export async function deleteFeed({ db }: Deps, caller: Caller): Promise<void> {
  await deleteFeeds(db, [caller.userId]);
}

const presentFeed = ({ created_at, read_at }: FeedRow): Feed => ({
  createdAt: created_at.toISOString(),
  readAt: read_at?.toISOString() ?? null,
});

/**
 * Revokes feeds of users who cannot sign in, so that they stay revoked on reactivation. Runs on every pod and retries
 * during a database outage; in the meantime, `readFeed` denies access anyway. Feeds created after `detectedAt` stay.
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
  const inactiveIds = [...directory.users()].filter((user) => !isActive(user)).map(({ _id }) => _id);
  if (inactiveIds.length > 0) revoke(inactiveIds);
  directory.onUser((user: DirectoryUser) => {
    if (!isActive(user)) revoke([user._id]);
  });
}
