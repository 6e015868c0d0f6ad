import { AppError } from '@atrium/service-kit/errors/app-error';
import { type Caller, rejectedToken } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { canUpdate } from './policy.ts';
import { findUser } from './user-repository.ts';

/**
 * Reads committed state: during a NATS outage the directory does not show demotions made through other pods. Call after
 * `lockAdministrators`, which serializes administrators who demote each other.
 */
export async function assertAdministrator(tx: Queryable, caller: Caller, message: string): Promise<void> {
  const row = await findUser(tx, caller.userId);
  const { issuedAt = Number.POSITIVE_INFINITY } = caller;
  if (row?.status !== 'active' || row.sessions_valid_after > issuedAt) throw rejectedToken(caller);
  if (!canUpdate(row)) throw new AppError('forbidden', message);
}

const ADMINISTRATORS_LOCK = 0x61646d69;

/**
 * Serializes role and status changes across pods until the transaction ends: two could otherwise demote the last two
 * administrators.
 */
export async function lockAdministrators(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [ADMINISTRATORS_LOCK]);
}

export async function hasOtherActiveAdministrator(tx: Queryable, id: string): Promise<boolean> {
  const { rows } = await tx.query<{ has_other: boolean }>(
    `select exists (
       select from users where role = 'admin' and status = 'active' and deleted_at is null and id <> $1
     ) as has_other`,
    [id],
  );
  return rows[0]?.has_other ?? false;
}
