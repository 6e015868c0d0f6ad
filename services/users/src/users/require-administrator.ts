import { AppError } from '@atrium/service-kit/http/app-error';
import { type Caller, rejectedToken } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { mayUpdate } from './policy.ts';
import { findUser } from './user-repository.ts';

/**
 * Throws unless the caller is an administrator by what is committed. The directory of this process does not know whom another pod has
 * shut out while NATS is away. After `lockAdministrators` where that is taken: two who take the role from each other are one after the other.
 */
export async function requireAdministrator(tx: Queryable, caller: Caller, refusal: string): Promise<void> {
  const row = await findUser(tx, caller.userId);
  const { issuedAt = Number.POSITIVE_INFINITY } = caller;
  if (row?.status !== 'active' || row.sessions_valid_after > issuedAt) throw rejectedToken(caller);
  if (!mayUpdate(row)) throw new AppError('forbidden', refusal);
}
