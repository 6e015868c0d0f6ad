import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { newSeriesCalendar } from '../calendar/calendar-object.ts';
import { seriesFacts } from '../meetings/meeting-facts.ts';
import type { Details, Frequency } from '../meetings/meeting-repository.ts';
import { fillSeries, firstBatchFor, reachOf } from './fill-series.ts';
import { insertSeries, type SeriesRow } from './series-repository.ts';

export type NewSeries = Details & {
  frequency: Frequency;
  first: Date;
  durationMs: number;
  timezone: string;
  lastDay: string | null;
  organizer_id: string;
  participant_ids: string[];
};

/** Begins a series with its first batch of occurrences. */
export async function startSeries(tx: Queryable, given: NewSeries) {
  const series = newSeries(given);
  await insertSeries(tx, series);
  const id = await fillSeries(tx, series, { until: reachOf(given), max: firstBatchFor(series) });
  if (id === undefined) throw new Error('a series has at least its first occurrence');
  return { id, facts: { ...seriesFacts(series, { id, version: 1 }), calendar: newSeriesCalendar(series) } };
}

export function newSeries({ first, durationMs, lastDay, ...given }: NewSeries): SeriesRow {
  const id = newId();
  return {
    ...given,
    id,
    calendar_id: id,
    sequence: 0,
    first_start: first,
    duration_ms: durationMs,
    last_day: lastDay,
    excluded: [],
    filled_until: null,
    complete: false,
  };
}
