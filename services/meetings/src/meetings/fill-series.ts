import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { idsOf, insertMeetings } from '../model/meeting-repository.ts';
import { readSeriesRsvps, type SeriesRsvps } from '../model/occurrence-repository.ts';
import {
  getRule,
  hasMeetingAfter,
  listStartsAfter,
  type SeriesRow,
  updateSeriesRow,
} from '../model/series-repository.ts';
import { addOneYear } from '../recurrence/local-time.ts';
import { findStarts, type Pattern } from '../recurrence/recurrence.ts';

/** Maximum participant rows per transaction; the next one inserts more. */
const MAX_ROWS = 60_000;
/**
 * Maximum participant rows in the transaction of a request: some months for hundreds of participants, a year for fifty.
 */
const MAX_INITIAL_ROWS = 20_000;
const MAX_MEETINGS = 1_000;
const END_OF_TIME = new Date('9999-12-31');

export const getBatchSize = (participantCount: number, maxRows = MAX_ROWS) =>
  Math.max(30, Math.min(MAX_MEETINGS, Math.floor(maxRows / participantCount)));

/**
 * Returns how many occurrences a request creates: as many as possible with a room, because all of them are checked for
 * conflicts.
 */
export const getInitialBatchSize = ({ participant_ids, room_id }: Pick<SeriesRow, 'participant_ids' | 'room_id'>) =>
  getBatchSize(participant_ids.length, room_id === null ? MAX_INITIAL_ROWS : MAX_ROWS);

const toPattern = (series: SeriesRow): Pattern => ({
  ...getRule(series),
  first: series.first_start,
  timezone: series.timezone,
  lastDay: series.last_day,
});

/**
 * Returns the time up to which a series is filled: unlimited if it has a last day, otherwise 12 months ahead, but at
 * least to its first occurrence.
 */
export function getFillHorizon({ first, lastDay }: Pick<Pattern, 'first' | 'lastDay'>, now = new Date()): Date {
  if (lastDay !== null) return END_OF_TIME;
  const yearAhead = addOneYear(now);
  return first > yearAhead ? first : yearAhead;
}

export function toFillState(
  { starts, complete }: { starts: Date[]; complete: boolean },
  { until, max }: { until: Date; max: number },
) {
  return {
    complete,
    filled_until: starts.length < max ? until : (starts.at(-1) ?? until),
  };
}

/**
 * Inserts at most one batch of missing occurrences up to `until`, or the next one if none is upcoming. Includes
 * deactivated participants, so that occurrences stay equal to their series. Returns the id of the first inserted one.
 */
export async function fillSeries(
  tx: Queryable,
  series: SeriesRow,
  { until, max, now = new Date() }: { until: Date; max?: number; now?: Date },
): Promise<string | undefined> {
  const batchLimit = max ?? getBatchSize(series.participant_ids.length);
  const after = series.filled_until ?? undefined;
  const pattern = toPattern(series);
  const nextBatch = findStarts(pattern, { after, until, max: batchLimit });
  const isIdle = nextBatch.starts.length === 0 && !nextBatch.complete && !(await hasMeetingAfter(tx, series.id, now));
  const batch = isIdle ? findNextStart(pattern, after) : nextBatch;
  // A series with a changed rule can have occurrences beyond its fill state.
  const existingStarts = after ? await listStartsAfter(tx, series.id, after) : [];
  const unavailableStarts = new Set([...series.excluded, ...existingStarts].map(Number));
  const starts = batch.starts.filter((start) => !unavailableStarts.has(start.getTime()));
  const rsvps = await readSeriesRsvps(tx, series);
  const ids = await insertOccurrences(tx, series, { starts, rsvps });
  await updateSeriesRow(tx, series, toFillState(batch, { until, max: isIdle ? 1 : batchLimit }));
  return ids[0];
}

/**
 * Finds the next start, which can be years away. Its occurrence is created early, so that users can see, change, and
 * cancel the series.
 */
function findNextStart(pattern: Pattern, after: Date | undefined) {
  const { starts, complete } = findStarts(pattern, { after, until: END_OF_TIME, max: 1 });
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
