import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { syncParticipantTimes } from '../meetings/meeting-repository.ts';
import { toWallClock } from './recurrence.ts';

type IntendedTime = { start: Date; end: Date; timezone: string };

/**
 * A rule means the first of two repeated local times (RFC 5545, section 3.3.5). If the edited meeting is meant for the second, it is stored
 * as individually moved. Returns whether that was necessary.
 */
export async function pinAmbiguousTime(
  tx: Queryable,
  id: string,
  { start, end, timezone }: IntendedTime,
): Promise<boolean> {
  const byRule = toWallClock(start, timezone);
  if (byRule.getTime() === start.getTime()) return false;
  const { rowCount } = await tx.query(
    'update meetings set starts_at = $2, ends_at = $3 where id = $1 and starts_at = $4',
    [id, start, end, byRule],
  );
  if (rowCount === 0) return false;
  await syncParticipantTimes(tx, [id]);
  return true;
}
