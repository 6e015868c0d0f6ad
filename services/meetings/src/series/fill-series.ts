import type { Rule } from '@atrium/proto-events/recurrence';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { insertMeetings } from '../meetings/meeting-repository.ts';
import { addOneYear } from './add-one-year.ts';
import { type Pattern, startsOf } from './recurrence.ts';
import { changeSeries, hasMeetingAfter, listStartsAfter, type SeriesRow } from './series-repository.ts';
import { readSeriesRsvps, type SeriesAnswers } from './series-rsvps.ts';

/** At most so many rows of people are written in one transaction; what is left comes with the next one. */
const MAX_ROWS = 60_000;
/** And in the one for which somebody waits: some months for hundreds of people, all of a year for fifty. */
const MAX_INITIAL_ROWS = 20_000;
const MAX_MEETINGS = 1_000;
const END_OF_TIME = new Date('9999-12-31');

/** How many occurrences one transaction may insert for so many people. */
export const batchSize = (people: number, rows = MAX_ROWS) =>
  Math.max(30, Math.min(MAX_MEETINGS, Math.floor(rows / people)));

/** How many are there with the answer to whoever makes the series; where it books a room, as many as can be, for all of these are judged. */
export const initialBatchSize = ({ participant_ids, room_id }: Pick<SeriesRow, 'participant_ids' | 'room_id'>) =>
  batchSize(participant_ids.length, room_id === null ? MAX_INITIAL_ROWS : MAX_ROWS);

export const ruleOf = ({ frequency, recurrence }: Pick<SeriesRow, 'frequency' | 'recurrence'>): Rule => ({
  frequency,
  ...recurrence,
});

export const columnsOfRule = ({ frequency, interval, weekdays, monthlyOn }: Rule) => ({
  frequency,
  recurrence: { interval, weekdays, monthlyOn },
});

export const patternOf = (series: SeriesRow): Pattern => ({
  ...ruleOf(series),
  first: series.first_start,
  timezone: series.timezone,
  lastDay: series.last_day,
});

/** How far a series is filled when it is made or moved: to its last day, or 12 months ahead; the first one is always in. */
export function fillHorizon({ first, lastDay }: Pick<Pattern, 'first' | 'lastDay'>, now = new Date()): Date {
  if (lastDay !== null) return END_OF_TIME;
  const ahead = addOneYear(now);
  return first > ahead ? first : ahead;
}

/** What the series knows of its filling after the starts of one batch. */
export function filled(found: { starts: Date[]; complete: boolean }, { until, max }: { until: Date; max: number }) {
  return {
    complete: found.complete,
    filled_until: found.starts.length < max ? until : (found.starts.at(-1) ?? until),
  };
}

/**
 * Makes the meetings that the rule gives up to `until` and that are not there yet, at most one batch, or the next one if none is to come.
 * Also with people who are away for now: each date would differ from its series without them, and they from the others once they are
 * back. Answers the first's id.
 */
export async function fillSeries(
  tx: Queryable,
  series: SeriesRow,
  { until, max, now = new Date() }: { until: Date; max?: number; now?: Date },
): Promise<string | undefined> {
  const most = max ?? batchSize(series.participant_ids.length);
  const after = series.filled_until ?? undefined;
  const pattern = patternOf(series);
  const given = startsOf(pattern, { after, until, max: most });
  const isIdle = given.starts.length === 0 && !given.complete && !(await hasMeetingAfter(tx, series.id, now));
  const found = isIdle ? nextStart(pattern, after) : given;
  // A series that got another rule may have meetings beyond what was filled.
  const present = after ? await listStartsAfter(tx, series.id, after) : [];
  const taken = new Set([...series.excluded, ...present].map(Number));
  const starts = found.starts.filter((start) => !taken.has(start.getTime()));
  const answers = await readSeriesRsvps(tx, series);
  const ids = await insertOccurrences(tx, series, { starts, answers });
  await changeSeries(tx, series, filled(found, { until, max: isIdle ? 1 : most }));
  return ids[0];
}

/** Years may be between two starts. The next meeting is there before, so that people can see, change, and cancel the series. */
function nextStart(pattern: Pattern, after: Date | undefined) {
  const { starts, complete } = startsOf(pattern, { after, until: END_OF_TIME, max: 1 });
  return { starts, complete: complete || starts.length === 0 };
}

type NewOccurrences = { starts: readonly Date[]; answers: SeriesAnswers };

/** Inserts occurrences as the series' template has them, answered as the series is. */
export async function insertOccurrences(
  tx: Queryable,
  series: SeriesRow,
  { starts, answers }: NewOccurrences,
): Promise<string[]> {
  if (starts.length === 0) return [];
  const occurrences = starts.map((start) => ({ id: newId(), start }));
  const { duration_ms: durationMs, id: series_id, ...template } = series;
  await insertMeetings(tx, { ...template, series_id, durationMs, occurrences, answers });
  return occurrences.map(({ id }) => id);
}
