import { databaseTime } from '@atrium/service-kit/postgres/database-time';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { UserRow } from './user-repository.ts';

/**
 * The moment before which tokens are refused, when sessions end now. Never back, and not by this pod's own clock: were that ahead,
 * whoever signs in afterwards would be refused for as long.
 */
export const endingNow = async (
  tx: Queryable,
  { sessions_valid_after }: Pick<UserRow, 'sessions_valid_after'>,
): Promise<number> => Math.max(sessions_valid_after, (await databaseTime(tx)).getTime());
