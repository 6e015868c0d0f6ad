import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Config } from '../config.ts';
import type { Origin } from './origin.ts';

export type SessionRow = { id: string; user_id: string; created_at: Date };
/** Which refresh token of a session is the current one: its hash, its number, and the seed of all of them. */
export type TokenState = { token_seed: Buffer; token_number: number; token_hash: Buffer };
export type ListedSession = SessionRow & Origin & { last_used_at: Date; expires_at: Date };

/** How many days a session lives without being used, and in all. */
export type Lifetime = { idleDays: number; mostDays: number };

export const lifetimeOf = (config: Pick<Config, 'SESSION_IDLE_DAYS' | 'SESSION_MAX_DAYS'>): Lifetime => ({
  idleDays: config.SESSION_IDLE_DAYS,
  mostDays: config.SESSION_MAX_DAYS,
});

/** A session as it stands before its next token. */
export type HeldSession = SessionRow &
  TokenState & {
    /** The time. */
    now: Date;
  };

/** Holds a session that has not ended until the transaction does. */
export async function lockActiveSession(
  tx: Queryable,
  id: string,
  { mostDays }: Lifetime,
): Promise<HeldSession | undefined> {
  const { rows } = await tx.query<HeldSession>(
    `select id, user_id, created_at, token_seed, token_number, token_hash, clock_timestamp() as now from sessions
     where id = $1 and expires_at > now() and created_at > now() - make_interval(days => $2::int)
     for update`,
    [id, mostDays],
  );
  return rows[0];
}

type Use = { origin: Origin; lifetime: Lifetime; token: TokenState };

/** Notes that a session was used just now and from where, and which token is good from here: it has its idle time anew, but no more than its life in all. */
export async function renewSession(tx: Queryable, id: string, { origin, lifetime, token }: Use): Promise<void> {
  await tx.query(
    `update sessions set last_used_at = now(), device = coalesce($2, device), address = coalesce($3, address),
       expires_at = least(now() + make_interval(days => $4::int), created_at + make_interval(days => $5::int)),
       token_seed = $6, token_number = $7, token_hash = $8
     where id = $1`,
    [
      id,
      origin.device,
      origin.address,
      lifetime.idleDays,
      lifetime.mostDays,
      token.token_seed,
      token.token_number,
      token.token_hash,
    ],
  );
}

/** The latest use first. */
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

/** Whether the person has such a session, which has not ended. */
export async function hasSession(db: Queryable, id: string, userId: string): Promise<boolean> {
  const { rowCount } = await db.query('select from sessions where id = $1 and user_id = $2 and expires_at > now()', [
    id,
    userId,
  ]);
  return rowCount === 1;
}

/** Answers whether the person has such a session; it stays as it is until the transaction ends. */
export async function lockSession(tx: Queryable, id: string, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select id from sessions where id = $1 and user_id = $2 and expires_at > now() for update',
    [id, userId],
  );
  return rowCount === 1;
}

/** The part of a statement that records why the sessions in `ended` are no more. */
const recorded = (reason: '$2' | '$3' | '$4' | '$5') => `recorded as (
  insert into ended_sessions (session_id, token_hash, reason)
  select id, token_hash, ${reason}::text from ended
)`;

type Rename = { from: string; to: string; reason: string };

/** Gives a locked session another id, by which access tokens and browsers know it, and records the end of the old one. */
export async function renameSession(tx: Queryable, { from, to, reason }: Rename): Promise<void> {
  await tx.query(
    `with ended as (select id, token_hash from sessions where id = $1), ${recorded('$3')}
     update sessions set id = $2 where id = $1`,
    [from, to, reason],
  );
}

/** Removes one session of a person; answers whether it was there. */
export async function deleteSession(
  tx: Queryable,
  { id, userId, reason }: { id: string; userId: string; reason: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `with ended as (delete from sessions where id = $1 and user_id = $2 returning id, token_hash), ${recorded('$3')}
     select from ended`,
    [id, userId, reason],
  );
  return rowCount === 1;
}

/**
 * Removes a person's sessions that began before a moment (ms since 1970), all of them without one, and spares one where that is
 * asked for; answers their ids, that of the last use first: where they are many, those that may have an access token are told first.
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
     ), ${recorded('$4')}
     select id from ended order by last_used_at desc`,
    [userId, before, except, reason],
  );
  return rows.map(({ id }) => id);
}

/**
 * Removes those of a person's open sessions that are more than so many, `most` at a time; answers their ids. The newest stays, then those
 * whose tokens were ever renewed, as a browser's are and a script's are not that signs in for each call, then what was used last.
 */
export async function deleteUnusedSessions(
  tx: Queryable,
  userId: string,
  { newest, kept, most, reason }: { newest: string; kept: number; most: number; reason: string },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `with ended as (
       delete from sessions where id in (
         select id from sessions where user_id = $1 and expires_at > now() order by id = $4 desc, token_number > 0 desc, last_used_at desc, id desc
         offset $2 limit $3
       ) returning id, token_hash
     ), ${recorded('$5')}
     select id from ended`,
    [userId, kept, most, newest, reason],
  );
  return rows.map(({ id }) => id);
}
