import type { DirectoryUser } from '@atrium/proto-events/people';
import { resolvePreferences } from '@atrium/proto-events/preferences';

/** How long after the start of a day reminders are sent that were delayed by a restart or an outage. */
const MAX_DELAY_MINUTES = 60;
const DAY_MS = 24 * 60 * 60_000;
const DAYS_PER_WEEK = 7;

type Reminded = Pick<DirectoryUser, 'preferences'>;

/** Returns `YYYY-MM-DD HH:MM:SS` in a time zone. Takes too long to be called for each of thousands of users. */
export const toLocalTime = (timeZone: string | undefined, at: Date): string =>
  // The Swedish locale formats times as ISO 8601.
  at.toLocaleString('sv-SE', { timeZone });

/**
 * At the start of a working day, returns the dates (YYYY-MM-DD) of the tasks that the user is reminded of: from this day
 * to the next working day. Returns undefined at other times.
 */
export function findRemindedDates(user: Reminded, localTime: string): { from: string; to: string } | undefined {
  const [from = '', time = ''] = localTime.split(' ');
  const { workingHours } = resolvePreferences(user);
  const midnight = Date.parse(`${from}T00:00:00Z`);
  const hoursAfter = (days: number) => workingHours[(getWeekday(midnight) + days) % DAYS_PER_WEEK] ?? null;
  const today = hoursAfter(0);
  if (!today) return undefined;
  const minutes = toMinutes(time) - toMinutes(today.start);
  if (minutes < 0 || minutes >= MAX_DELAY_MINUTES) return undefined;
  let days = 1;
  while (!hoursAfter(days)) days += 1;
  return { from, to: new Date(midnight + days * DAY_MS).toISOString().slice(0, 10) };
}

/** From 0, which is Monday. */
const getWeekday = (midnight: number) => (new Date(midnight).getUTCDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK;

function toMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
