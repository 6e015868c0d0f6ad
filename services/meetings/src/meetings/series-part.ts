import type { seriesScope } from '@atrium/proto-events/http/meetings/meeting-fields';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import { copyAgenda } from '../model/agenda-repository.ts';
import { type Details, idsOf, type MeetingRow } from '../model/meeting-repository.ts';
import { type Occurrence, type Occurrences, readOccurrences } from '../model/occurrence-repository.ts';
import { canChangeSeries } from '../model/policy.ts';
import {
  findSeries,
  insertSeries,
  listDetailVariants,
  reassignOccurrences,
  type SeriesRow,
  transferCanceledOccurrences,
  updateSeriesRow,
} from '../model/series-repository.ts';
import { localDay } from '../recurrence/local-time.ts';

export type SeriesPart = { pivot: Date; affectedOccurrences: Occurrence[]; earlierOccurrences: Occurrence[] };

/** Splits occurrences at the changed part. Past ones never change: "all" means all after the last past one. */
export function toSeriesPart(
  occurrences: readonly Occurrence[],
  { from, scope }: { from: Date; scope: 'following' | 'all' },
): SeriesPart {
  const lastPast = occurrences.findLast(({ is_past }) => is_past)?.original_start;
  if (lastPast && from <= lastPast) {
    // A moved occurrence can end after later ones of the rule.
    throw new AppError('conflict', 'Later meetings of this series are already over. Please change only this one.');
  }
  const isInPart = (start: Date) => (scope === 'following' ? start >= from : !lastPast || start > lastPast);
  const affectedOccurrences = occurrences.filter(({ original_start }) => isInPart(original_start));
  return {
    affectedOccurrences,
    earlierOccurrences: occurrences.filter(({ original_start }) => !isInPart(original_start)),
    pivot: affectedOccurrences[0]?.original_start ?? from,
  };
}

export async function endSeriesBefore(tx: Queryable, series: SeriesRow, pivot: Date): Promise<SeriesRow> {
  return updateSeriesRow(tx, series, {
    last_day: localDay(pivot, series.timezone, -1),
    complete: true,
    excluded: series.excluded.filter((start) => start < pivot),
    sequence: series.sequence + 1,
  });
}

/** Moves the part to a new series with a new calendar entry, so that calendars keep the past unchanged. */
export async function splitSeries(
  tx: Queryable,
  series: SeriesRow,
  { pivot, affectedOccurrences, earlierOccurrences }: SeriesPart,
) {
  const endedSeries = await endSeriesBefore(tx, series, pivot);
  const id = newId();
  const excluded = series.excluded.filter((start) => start >= pivot);
  const nextSeries = { ...series, id, calendar_id: id, sequence: 0, first_start: pivot, excluded };
  await insertSeries(tx, nextSeries);
  await copyAgenda(tx, { seriesId: series.id }, id);
  // Links to the old series lead to its continuation.
  const areEarlierPast = earlierOccurrences.every(({ is_past }) => is_past);
  await transferCanceledOccurrences(tx, { seriesId: series.id, from: areEarlierPast ? undefined : pivot }, id);
  await reassignOccurrences(tx, idsOf(affectedOccurrences), id);
  return { endedSeries, nextSeries };
}

export type Scope = z.output<typeof seriesScope>;

/** `affectedOccurrences` are those that the change applies to, none of them past. */
export type ScopedOccurrences = Occurrences & {
  series: SeriesRow;
  affectedOccurrences: Occurrence[];
  detailVariants: Details[];
};

/**
 * Returns undefined for a change of one meeting. Throws `forbidden` for callers who can see neither the series nor all
 * of the meetings: they could otherwise add themselves to hidden ones.
 */
export async function readUpcomingPart(
  tx: Queryable,
  caller: Caller,
  { row, scope }: { row: MeetingRow; scope: Scope },
): Promise<ScopedOccurrences | undefined> {
  if (row.series_id === null || row.original_start === null || scope === 'this') return undefined;
  const from = scope === 'following' ? row.original_start : undefined;
  const series = await findSeries(tx, row.series_id);
  const { occurrences, seriesRsvps } = await readOccurrences(tx, series);
  const affectedOccurrences = occurrences.filter(
    ({ is_past, original_start }) => !is_past && (!from || original_start >= from),
  );
  if (!canChangeSeries(caller, series, affectedOccurrences))
    throw new AppError(
      'forbidden',
      'You are not invited to all of these meetings. Please change only the one you are invited to.',
    );
  const detailVariants = [series, ...(await listDetailVariants(tx, series.id, from))];
  return { occurrences, seriesRsvps, series, affectedOccurrences, detailVariants };
}
