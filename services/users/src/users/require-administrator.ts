import { AppError } from '@atrium/service-kit/errors/app-error';
import { type Caller, rejectedToken } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { canUpdate } from './policy.ts';
import { findUser } from './user-repository.ts';

/**
 * Reads committed state: during a NATS outage the directory misses administrators demoted by other pods. Call after `lockAdministrators`,
 * which serializes administrators who demote each other.
 */
export async function requireAdministrator(tx: Queryable, caller: Caller, message: string): Promise<void> {
  const row = await findUser(tx, caller.userId);
  const { issuedAt = Number.POSITIVE_INFINITY } = caller;
  if (row?.status !== 'active' || row.sessions_valid_after > issuedAt) throw rejectedToken(caller);
  if (!canUpdate(row)) throw new AppError('forbidden', message);
}
