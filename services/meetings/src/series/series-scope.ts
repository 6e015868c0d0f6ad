import type { seriesScope } from '@atrium/proto-events/http/meeting-fields';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import type { Details, MeetingRow } from '../meetings/meeting-repository.ts';
import { CHANGE_SERIES_DENIED, canChangeSeries } from '../meetings/policy.ts';
import { type Occurrence, type Occurrences, readOccurrences } from './occurrences.ts';
import { findSeries, listDetailVariants, type SeriesRow } from './series-repository.ts';

export type Scope = z.output<typeof seriesScope>;

/** `members` are the meetings of the change, none of them past. */
export type ScopedOccurrences = Occurrences & { series: SeriesRow; members: Occurrence[]; detailVariants: Details[] };

/**
 * Undefined for a change of one meeting. Throws `forbidden` for callers who can see neither the series nor all of the meetings: they could
 * otherwise add themselves to hidden ones.
 */
export async function readUpcomingPart(
  tx: Queryable,
  caller: Caller,
  { row, scope }: { row: MeetingRow; scope: Scope },
): Promise<ScopedOccurrences | undefined> {
  if (row.series_id === null || row.original_start === null || scope === 'this') return undefined;
  const from = scope === 'following' ? row.original_start : undefined;
  const series = await findSeries(tx, row.series_id);
  const all = await readOccurrences(tx, series);
  const members = all.occurrences.filter(
    ({ is_past, original_start }) => !is_past && (!from || original_start >= from),
  );
  if (!canChangeSeries(caller, series, members)) throw new AppError('forbidden', CHANGE_SERIES_DENIED);
  return { ...all, series, members, detailVariants: [series, ...(await listDetailVariants(tx, series.id, from))] };
}
