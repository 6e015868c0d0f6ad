import { feedCreated } from '@atrium/proto-events/events/meeting-feeds';
import type { Feed } from '@atrium/proto-events/http/meeting-feed';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { type FeedRow, findFeed, putFeed, removeFeeds } from './feed-repository.ts';
import { hashToken, newToken } from './feed-token.ts';

export async function getFeed({ db }: Deps, caller: Caller): Promise<{ feed: Feed | null }> {
  const row = await findFeed(db, caller.userId);
  return { feed: row ? present(row) : null };
}

/** The secret is returned once: a user who lost it creates another. Its owner is notified by email. */
export async function createFeed({ db }: Deps, { userId }: Caller): Promise<{ feed: Feed; token: string }> {
  const token = newToken();
  const row = await db.transaction(async (tx) => {
    const created = await putFeed(tx, userId, hashToken(token));
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
  await removeFeeds(db, [caller.userId]);
}

const present = ({ created_at, read_at }: FeedRow): Feed => ({
  createdAt: created_at.toISOString(),
  readAt: read_at?.toISOString() ?? null,
});
