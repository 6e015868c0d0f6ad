import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { idsOf, insertMeetings } from '../model/meeting-repository.ts';
import { readSeriesRsvps, type SeriesRsvps } from '../model/occurrence-repository.ts';
import {
  hasMeetingAfter,
  listStartsAfter,
  ruleOf,
  type SeriesRow,
  updateSeriesRow,
} from '../model/series-repository.ts';
import { addOneYear } from '../recurrence/local-time.ts';
import { type Pattern, startsOf } from '../recurrence/recurrence.ts';

/** Participant rows per transaction; the rest follows in the next one. */
const MAX_ROWS = 60_000;
/** Participant rows in the transaction of a request: some months for hundreds of participants, a year for fifty. */
const MAX_INITIAL_ROWS = 20_000;
const MAX_MEETINGS = 1_000;
const END_OF_TIME = new Date('9999-12-31');

export const batchSize = (people: number, rows = MAX_ROWS) =>
  Math.max(30, Math.min(MAX_MEETINGS, Math.floor(rows / people)));

/** Occurrences created with the request. With a room as many as possible, because all of them are checked for conflicts. */
export const initialBatchSize = ({ participant_ids, room_id }: Pick<SeriesRow, 'participant_ids' | 'room_id'>) =>
  batchSize(participant_ids.length, room_id === null ? MAX_INITIAL_ROWS : MAX_ROWS);

const patternOf = (series: SeriesRow): Pattern => ({
  ...ruleOf(series),
  first: series.first_start,
  timezone: series.timezone,
  lastDay: series.last_day,
});

/** To its last day or 12 months ahead, and at least to the first occurrence. */
export function fillHorizon({ first, lastDay }: Pick<Pattern, 'first' | 'lastDay'>, now = new Date()): Date {
  if (lastDay !== null) return END_OF_TIME;
  const ahead = addOneYear(now);
  return first > ahead ? first : ahead;
}

export function fillState(found: { starts: Date[]; complete: boolean }, { until, max }: { until: Date; max: number }) {
  return {
    complete: found.complete,
    filled_until: found.starts.length < max ? until : (found.starts.at(-1) ?? until),
  };
}

/**
 * Inserts at most one batch of missing occurrences up to `until`, or the next one if none is upcoming. Includes deactivated participants,
 * so that occurrences stay equal to their series. Returns the id of the first.
 */
export async function fillSeries(
  tx: Queryable,
  series: SeriesRow,
  { until, max, now = new Date() }: { until: Date; max?: number; now?: Date },
): Promise<string | undefined> {
  const batch = max ?? batchSize(series.participant_ids.length);
  const after = series.filled_until ?? undefined;
  const pattern = patternOf(series);
  const next = startsOf(pattern, { after, until, max: batch });
  const isIdle = next.starts.length === 0 && !next.complete && !(await hasMeetingAfter(tx, series.id, now));
  const found = isIdle ? nextStart(pattern, after) : next;
  // A series with a changed rule can have occurrences beyond its fill state.
  const present = after ? await listStartsAfter(tx, series.id, after) : [];
  const taken = new Set([...series.excluded, ...present].map(Number));
  const starts = found.starts.filter((start) => !taken.has(start.getTime()));
  const rsvps = await readSeriesRsvps(tx, series);
  const ids = await insertOccurrences(tx, series, { starts, rsvps });
  await updateSeriesRow(tx, series, fillState(found, { until, max: isIdle ? 1 : batch }));
  return ids[0];
}

/** Starts can be years apart; the next occurrence is created early, so that users can see, change, and cancel the series. */
function nextStart(pattern: Pattern, after: Date | undefined) {
  const { starts, complete } = startsOf(pattern, { after, until: END_OF_TIME, max: 1 });
  return { starts, complete: complete || starts.length === 0 };
}

type NewOccurrences = { starts: readonly Date[]; rsvps: SeriesRsvps };

export async function insertOccurrences(
  tx: Queryable,
  series: SeriesRow,
  { starts, rsvps }: NewOccurrences,
): Promise<string[]> {
  if (starts.length === 0) return [];
  const occurrences = starts.map((start) => ({ id: newId(), start }));
  const { duration_ms: durationMs, id: series_id, ...template } = series;
  await insertMeetings(tx, { ...template, series_id, durationMs, occurrences, rsvps });
  return idsOf(occurrences);
}
