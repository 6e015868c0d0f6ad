import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type FeedRow = { user_id: string; created_at: Date; read_at: Date | null };

const COLUMNS = 'user_id, created_at, read_at';

export async function findFeed(db: Queryable, userId: string): Promise<FeedRow | undefined> {
  const { rows } = await db.query<FeedRow>(`select ${COLUMNS} from feeds where user_id = $1`, [userId]);
  return rows[0];
}

/** Finds the feed of a token, and records the access at most once per hour. */
export async function accessFeed(db: Queryable, tokenHash: Buffer): Promise<FeedRow | undefined> {
  const { rows } = await db.query<FeedRow & { recently_read: boolean }>({
    name: 'find-feed',
    text: `select ${COLUMNS}, coalesce(read_at > now() - interval '1 hour', false) as recently_read from feeds where token_hash = $1`,
    values: [tokenHash],
  });
  const [row] = rows;
  if (row && !row.recently_read) await db.query('update feeds set read_at = now() where token_hash = $1', [tokenHash]);
  return row;
}

export async function upsertFeed(db: Queryable, userId: string, tokenHash: Buffer): Promise<FeedRow> {
  const { rows } = await db.query<FeedRow>(
    `insert into feeds (user_id, token_hash) values ($1, $2)
     on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = now(), read_at = null
     returning ${COLUMNS}`,
    [userId, tokenHash],
  );
  const [row] = rows;
  if (!row) throw new Error('Calendar feed not found after write');
  return row;
}

export async function deleteFeeds(db: Queryable, userIds: readonly string[], createdUntil?: Date): Promise<void> {
  await db.query('delete from feeds where user_id = any($1) and ($2::timestamptz is null or created_at <= $2)', [
    userIds,
    createdUntil ?? null,
  ]);
}

const TOKEN_BYTES = 32;

export const createToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Hashes a token for storage. The token is random, so one round of a fast hash suffices. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
