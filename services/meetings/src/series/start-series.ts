import type { Rule } from '@atrium/proto-events/recurrence';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { newSeriesCalendar, seriesCalendar } from '../calendar/calendar-object.ts';
import { seriesEventData } from '../meetings/meeting-event-data.ts';
import type { Details } from '../meetings/meeting-repository.ts';
import { pinAmbiguousTime } from './ambiguous-local-time.ts';
import { columnsOfRule, fillHorizon, fillSeries, initialBatchSize } from './fill-series.ts';
import { toWallClock } from './recurrence.ts';
import { insertSeries, type SeriesRow } from './series-repository.ts';

export type NewSeries = Details & {
  rule: Rule;
  first: Date;
  durationMs: number;
  timezone: string;
  lastDay: string | null;
  organizer_id: string;
  participant_ids: string[];
};

export async function startSeries(tx: Queryable, given: NewSeries) {
  const series = newSeries(given);
  await insertSeries(tx, series);
  const id = await fillSeries(tx, series, { until: fillHorizon(given), max: initialBatchSize(series) });
  if (id === undefined) throw new Error('Series has no occurrence after its first batch');
  const { first: start, timezone, durationMs } = given;
  const isMoved = await pinAmbiguousTime(tx, id, { start, end: new Date(start.getTime() + durationMs), timezone });
  const calendar = isMoved ? await seriesCalendar(tx, series) : newSeriesCalendar(series);
  return { id, facts: { ...seriesEventData(series, { id, version: 1 }), calendar } };
}

export function newSeries({ rule, first, durationMs, lastDay, ...given }: NewSeries): SeriesRow {
  const id = newId();
  return {
    ...given,
    ...columnsOfRule(rule),
    id,
    calendar_id: id,
    sequence: 0,
    first_start: toWallClock(first, given.timezone),
    duration_ms: durationMs,
    last_day: lastDay,
    excluded: [],
    filled_until: null,
    complete: false,
  };
}
