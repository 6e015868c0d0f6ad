import { type Caller, rejectedToken } from '@atrium/service-kit/http/authenticate';
import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Config } from '../config.ts';
import type { SessionClient } from './session-client.ts';

export type SessionRow = { id: string; user_id: string; created_at: Date };
export type TokenState = { token_seed: Buffer; token_number: number; token_hash: Buffer };
export type ListedSession = SessionRow & SessionClient & { last_used_at: Date; expires_at: Date };

export type Lifetime = { idleDays: number; maxDays: number };

export const getLifetime = (config: Pick<Config, 'SESSION_IDLE_DAYS' | 'SESSION_MAX_DAYS'>): Lifetime => ({
  idleDays: config.SESSION_IDLE_DAYS,
  maxDays: config.SESSION_MAX_DAYS,
});

export type LockedSession = SessionRow &
  TokenState & {
    now: Date;
  };

export async function lockActiveSession(
  tx: Queryable,
  id: string,
  { maxDays }: Lifetime,
): Promise<LockedSession | undefined> {
  const { rows } = await tx.query<LockedSession>(
    `select id, user_id, created_at, token_seed, token_number, token_hash, clock_timestamp() as now from sessions
     where id = $1 and expires_at > now() and created_at > now() - make_interval(days => $2::int)
     for update`,
    [id, maxDays],
  );
  return rows[0];
}

type SessionUse = { client: SessionClient; lifetime: Lifetime; token: TokenState };

export async function renewSession(tx: Queryable, id: string, { client, lifetime, token }: SessionUse): Promise<void> {
  await tx.query(
    `update sessions set last_used_at = now(), device = coalesce($2, device), address = coalesce($3, address),
       expires_at = least(now() + make_interval(days => $4::int), created_at + make_interval(days => $5::int)),
       token_seed = $6, token_number = $7, token_hash = $8
     where id = $1`,
    [
      id,
      client.device,
      client.address,
      lifetime.idleDays,
      lifetime.maxDays,
      token.token_seed,
      token.token_number,
      token.token_hash,
    ],
  );
}

export async function listSessionRows(db: Queryable, userId: string, page: Limits) {
  const [list, count] = await Promise.all([
    db.query<ListedSession>(
      `select id, user_id, created_at, device, address, last_used_at, expires_at from sessions
       where user_id = $1 and expires_at > now() order by last_used_at desc, id desc limit $2 offset $3`,
      [userId, page.limit, page.offset],
    ),
    db.query<{ total: number }>('select count(*) as total from sessions where user_id = $1 and expires_at > now()', [
      userId,
    ]),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

async function hasSession(db: Queryable, id: string, userId: string): Promise<boolean> {
  const { rowCount } = await db.query('select from sessions where id = $1 and user_id = $2 and expires_at > now()', [
    id,
    userId,
  ]);
  return rowCount === 1;
}

export async function lockSession(tx: Queryable, id: string, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select id from sessions where id = $1 and user_id = $2 and expires_at > now() for update',
    [id, userId],
  );
  return rowCount === 1;
}

const recordEndSql = (reason: '$2' | '$3' | '$4' | '$5') => `recorded as (
  insert into ended_sessions (session_id, token_hash, reason)
  select id, token_hash, ${reason}::text from ended
)`;

type Rename = { from: string; to: string; reason: string };

/** Access tokens and browsers refer to the id, so the end of the old id is recorded. */
export async function renameSession(tx: Queryable, { from, to, reason }: Rename): Promise<void> {
  await tx.query(
    `with ended as (select id, token_hash from sessions where id = $1), ${recordEndSql('$3')}
     update sessions set id = $2 where id = $1`,
    [from, to, reason],
  );
}

export async function deleteSession(
  tx: Queryable,
  { id, userId, reason }: { id: string; userId: string; reason: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `with ended as (delete from sessions where id = $1 and user_id = $2 returning id, token_hash), ${recordEndSql('$3')}
     select from ended`,
    [id, userId, reason],
  );
  return rowCount === 1;
}

/**
 * Returns the ids, most recently used first, so that the events of sessions with a live access token come first.
 * `before` is a Unix time in milliseconds.
 */
export async function deleteSessions(
  tx: Queryable,
  userId: string,
  { reason, before = null, except = null }: { reason: string; before?: number | null; except?: string | null },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `with ended as (
       delete from sessions
       where user_id = $1 and ($2::double precision is null or created_at < to_timestamp($2 / 1000))
         and ($3::text is null or id <> $3)
       returning id, token_hash, last_used_at
     ), ${recordEndSql('$4')}
     select id from ended order by last_used_at desc`,
    [userId, before, except, reason],
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes open sessions beyond `keep`, at most `max` per call. Keeps the newest, then sessions that were ever refreshed
 * (browsers, not scripts), then the most recently used.
 */
export async function deleteUnusedSessions(
  tx: Queryable,
  userId: string,
  { newest, keep, max, reason }: { newest: string; keep: number; max: number; reason: string },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `with ended as (
       delete from sessions where id in (
         select id from sessions where user_id = $1 and expires_at > now() order by id = $4 desc, token_number > 0 desc, last_used_at desc, id desc
         offset $2 limit $3
       ) returning id, token_hash
     ), ${recordEndSql('$5')}
     select id from ended`,
    [userId, keep, max, newest, reason],
  );
  return rows.map(({ id }) => id);
}

/**
 * Reads committed state, because administrative changes outlast an access token, and during a NATS outage this process
 * does not receive the sessions that other pods end.
 */
export async function assertOpenSession(tx: Queryable, caller: Caller): Promise<void> {
  if (!(await hasSession(tx, caller.sessionId, caller.userId))) throw rejectedToken(caller);
}

/** A reset password may have been compromised, so all devices become unknown. */
export async function deleteKnownDevices(tx: Queryable, userId: string): Promise<void> {
  await tx.query('delete from known_devices where user_id = $1', [userId]);
}
