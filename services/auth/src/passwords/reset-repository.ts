import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Config } from '../config.ts';
import { createSecretLink } from '../secrets/secret-link.ts';

const LINK_LIFETIME = `interval '1 hour'`;

export async function insertResetRequest(db: Queryable, email: string, requestId: string): Promise<void> {
  await db.query('insert into reset_requests (email, request_id) values ($1, $2)', [email, requestId]);
}

export const MAX_LINKS_PER_HOUR = 3;

/**
 * Deletes ineligible requests among the oldest 500 that no other pod has locked: unknown emails, pending invitations,
 * and accounts beyond the hourly limit. A flood of requests therefore delays no one.
 */
export async function dropIneligibleRequests(db: Queryable): Promise<void> {
  await db.query(
    `with oldest as (
       select id, email from reset_requests order by id limit 500 for update skip locked
     ), requested as (
       select oldest.id, a.id as user_id, row_number() over (partition by a.id order by oldest.id) as position
       from oldest left join accounts a on lower(a.email) = lower(oldest.email) and a.state = 'active'
     )
     delete from reset_requests r using requested where r.id = requested.id and (
       user_id is null or position + (
         select count(*) from password_resets p
         where p.user_id = requested.user_id and p.created_by is null and p.created_at > now() - ${LINK_LIFETIME}
       ) > $1
     )`,
    [MAX_LINKS_PER_HOUR],
  );
}

type ResetRequest = { email: string; request_id: string };

/** Skips requests locked by other pods. The request is deleted when the transaction commits. */
export async function takeResetRequest(tx: Queryable): Promise<ResetRequest | undefined> {
  const { rows } = await tx.query<ResetRequest>(
    `delete from reset_requests where id = (select id from reset_requests order by id limit 1 for update skip locked)
     returning email, request_id`,
  );
  return rows[0];
}

export async function countRecentResets(tx: Queryable, userId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*) as count from password_resets
     where user_id = $1 and created_by is null and created_at > now() - ${LINK_LIFETIME}`,
    [userId],
  );
  return rows[0]?.count ?? 0;
}

type ResetRow = {
  user_id: string;
  expired: boolean;
  used: boolean;
  created_by: string | null;
  created_at: Date;
};

export async function findReset(db: Queryable, tokenHash: Buffer): Promise<ResetRow | undefined> {
  const { rows } = await db.query<ResetRow>(
    `select user_id, expires_at <= now() as expired, used_at is not null as used, created_by, created_at
     from password_resets where token_hash = $1`,
    [tokenHash],
  );
  return rows[0];
}

/** Returns true for exactly one of several concurrent claims. */
export async function claimReset(tx: Queryable, tokenHash: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update password_resets set used_at = now() where token_hash = $1 and used_at is null and expires_at > now()',
    [tokenHash],
  );
  return rowCount === 1;
}

export async function invalidateResets(tx: Queryable, userId: string): Promise<void> {
  await tx.query('update password_resets set used_at = now() where user_id = $1 and used_at is null', [userId]);
}

/** Creates a link that works once within an hour. `createdBy` is null if the user requested it. */
export async function createReset(
  config: Config,
  tx: Queryable,
  { userId, createdBy }: { userId: string; createdBy: string | null },
) {
  const { url, tokenHash, sealedUrl } = await createSecretLink(config, 'reset-password');
  const id = newId();
  const { rows } = await tx.query<{ expires_at: Date }>(
    `insert into password_resets (id, user_id, token_hash, created_by, expires_at)
     values ($1, $2, $3, $4, now() + ${LINK_LIFETIME}) returning expires_at`,
    [id, userId, tokenHash, createdBy],
  );
  const [row] = rows;
  if (!row) throw new Error('Reset link not found after insert');
  return { id, url, sealedUrl, expiresAt: row.expires_at.toISOString() };
}
