import type { seriesScope } from '@atrium/proto-events/http/meeting-fields';
import { AppError } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import type { Details, MeetingRow } from '../meetings/meeting-repository.ts';
import { canChangeSeries, CHANGE_SERIES_DENIED } from '../meetings/policy.ts';
import { type Occurrence, type Occurrences, readOccurrences } from './occurrences.ts';
import { findSeries, listWordings, type SeriesRow } from './series-repository.ts';

/** Which meetings of a series a change is for. */
export type Scope = z.output<typeof seriesScope>;

/** All meetings of a series, and those that a change of several is for, as they stand: none of them past. */
export type ScopedOccurrences = Occurrences & { series: SeriesRow; members: Occurrence[]; wordings: Details[] };

/**
 * What a change with a scope is for; undefined where it is for one meeting alone. Throws `forbidden` for who sees the one but neither
 * all of the others nor the series: they could let themselves into meetings that they may not know.
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
  return { ...all, series, members, wordings: [series, ...(await listWordings(tx, series.id, from))] };
}
