import { dayInZone } from '@atrium/proto-events/wall-clock';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';

/** Current date (YYYY-MM-DD) in the time zone of the user. Work due on it is not overdue yet. */
export function localDateOf(directory: Directory, { userId }: Pick<Caller, 'userId'>, now = new Date()): string {
  return dayInZone(now, directory.user(userId)?.timezone ?? 'UTC');
}

/** Offsets of the first and the last time zone from UTC, and one between them, so that no date is missed. */
const HOURS_FROM_UTC = [-12, 0, 14];

/** Returns every date (YYYY-MM-DD) that is today in some time zone: two or three. */
export function listCurrentDates(now = new Date()): string[] {
  const dates = HOURS_FROM_UTC.map((hours) => new Date(now.getTime() + hours * 3_600_000).toISOString().slice(0, 10));
  return [...new Set(dates)];
}

/** SQL condition; `today` is an expression of the form YYYY-MM-DD. Due dates are stored as midnight UTC. */
export const isPastDue = (today: string) => `due_date < ${today}::date::timestamp at time zone 'UTC'`;
