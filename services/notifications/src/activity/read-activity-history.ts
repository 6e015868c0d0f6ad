import type { RequestOf, ResultOf } from '@atrium/proto-events/endpoint';
import type { getActivityHistory as contract } from '@atrium/proto-events/http/activity';
import { dayInZone, toInstant } from '@atrium/proto-events/wall-clock';
import type { Deps } from '../deps.ts';
import { toFilter } from './list-activity.ts';

type Query = RequestOf<typeof contract>['query'];

const DAY_MS = 24 * 60 * 60 * 1000;

/** Counts the entries that `listActivity` lists, day by day, so that the index is read only for the period. */
export async function readActivityHistory(
  { store }: Pick<Deps, 'store'>,
  { days: dayCount, timezone }: Query,
): Promise<ResultOf<typeof contract>> {
  const days: ResultOf<typeof contract>['days'] = [];
  for (const day of listDays(Date.now(), { dayCount, timezone })) {
    const from = toInstant(timezone, day);
    const to = toInstant(timezone, day + DAY_MS);
    const filter = toFilter({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
    days.push({ day: new Date(day).toISOString().slice(0, 10), count: await store.activities.countDocuments(filter) });
  }
  return { days };
}

/** Returns days as their midnight in UTC; the last one is the current day in the time zone. */
export function listDays(now: number, { dayCount, timezone }: { dayCount: number; timezone: string }): number[] {
  const today = Date.parse(dayInZone(now, timezone));
  return Array.from({ length: dayCount }, (_, index) => today - (dayCount - 1 - index) * DAY_MS);
}
