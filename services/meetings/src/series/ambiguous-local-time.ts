import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { syncParticipantTimes } from '../meetings/meeting-repository.ts';
import { toWallClock } from './recurrence.ts';

type IntendedTime = { start: Date; end: Date; timezone: string };

/**
 * A rule is by the clock: of a time that it shows twice, where clocks go back, it means the first (RFC 5545, section 3.3.5). Whoever meant the
 * second, of the one meeting that they named, has it there, as one that was moved alone. Answers whether that is so; elsewhere nothing is written.
 */
export async function pinAmbiguousTime(tx: Queryable, id: string, { start, end, timezone }: IntendedTime): Promise<boolean> {
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
