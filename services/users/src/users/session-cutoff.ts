import { databaseTime, type Queryable } from '@atrium/service-kit/postgres/postgres';
import type { UserRow } from './user-repository.ts';

/**
 * Milliseconds of UNIX time before which tokens are rejected. Never decreases, and uses the database clock: with a pod clock ahead, later
 * sign-ins would be rejected.
 */
export const sessionCutoff = async (
  tx: Queryable,
  { sessions_valid_after }: Pick<UserRow, 'sessions_valid_after'>,
): Promise<number> => Math.max(sessions_valid_after, (await databaseTime(tx)).getTime());
