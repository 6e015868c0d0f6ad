import { AppError } from '@atrium/service-kit/http/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { copyAgenda } from '../agenda/agenda-repository.ts';
import { transferCancelledDates } from './cancelled-dates.ts';
import type { Occurrence } from './occurrences.ts';
import { localDay } from './recurrence.ts';
import { changeSeries, insertSeries, reassignOccurrences, type SeriesRow } from './series-repository.ts';

/** What a change of a series is for: its meetings from `pivot` on, none of them past, and those before, which stay as they are. */
export type SeriesPart = { pivot: Date; members: Occurrence[]; head: Occurrence[] };

/** Past occurrences never change (decisions, section 5): all means all that come after the last past one. */
export function toSeriesPart(
  occurrences: readonly Occurrence[],
  { from, scope }: { from: Date; scope: 'following' | 'all' },
): SeriesPart {
  const lastPast = occurrences.findLast(({ is_past }) => is_past)?.original_start;
  if (lastPast && from <= lastPast) {
    // A moved occurrence can outlast those that came after it.
    throw new AppError('conflict', 'Later meetings of this series are over already. Please change this one alone.');
  }
  const begins = (start: Date) => (scope === 'following' ? start >= from : !lastPast || start > lastPast);
  const members = occurrences.filter(({ original_start }) => begins(original_start));
  return {
    members,
    head: occurrences.filter(({ original_start }) => !begins(original_start)),
    pivot: members[0]?.original_start ?? from,
  };
}

/** Ends a series with the last of its meetings before `pivot`. */
export async function endSeriesBefore(tx: Queryable, series: SeriesRow, pivot: Date): Promise<SeriesRow> {
  return changeSeries(tx, series, {
    last_day: localDay(pivot, series.timezone, -1),
    complete: true,
    excluded: series.excluded.filter((start) => start < pivot),
    sequence: series.sequence + 1,
  });
}

/** Makes the part a series of its own, for calendars a new one: what they hold of the past must stay as it is. */
export async function splitSeries(tx: Queryable, series: SeriesRow, { pivot, members, head }: SeriesPart) {
  const ended = await endSeriesBefore(tx, series, pivot);
  const id = newId();
  const excluded = series.excluded.filter((start) => start >= pivot);
  const next = { ...series, id, calendar_id: id, sequence: 0, first_start: pivot, excluded };
  await insertSeries(tx, next);
  await copyAgenda(tx, { seriesId: series.id }, id);
  // Links lead to where the series goes on.
  const isOver = head.every(({ is_past }) => is_past);
  await transferCancelledDates(tx, { seriesId: series.id, from: isOver ? undefined : pivot }, id);
  await reassignOccurrences(
    tx,
    members.map((member) => member.id),
    id,
  );
  return { ended, next };
}
