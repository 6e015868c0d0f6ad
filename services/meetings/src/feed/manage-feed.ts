import type { Feed } from '@atrium/proto-events/http/meeting-feed';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { type FeedRow, findFeed, putFeed, removeFeeds } from './feed-repository.ts';
import { hashToken, newToken } from './feed-token.ts';

export async function getFeed({ db }: Deps, caller: Caller): Promise<{ feed: Feed | null }> {
  const row = await findFeed(db, caller.userId);
  return { feed: row ? present(row) : null };
}

/** The secret is told here and never again: whoever has lost it makes another. */
export async function createFeed({ db }: Deps, caller: Caller): Promise<{ feed: Feed; token: string }> {
  const token = newToken();
  return { feed: present(await putFeed(db, caller.userId, hashToken(token))), token };
}

export async function deleteFeed({ db }: Deps, caller: Caller): Promise<void> {
  await removeFeeds(db, [caller.userId]);
}

const present = ({ created_at, read_at }: FeedRow): Feed => ({
  createdAt: created_at.toISOString(),
  readAt: read_at?.toISOString() ?? null,
});
