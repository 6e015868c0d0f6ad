import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { MeetingRow } from './meeting-repository.ts';

/** Counts the calendar object's revision up (RFC 5545, 3.8.7.4): the series' for each of its occurrences, else the meeting's own. */
export async function countSequence(tx: Queryable, row: Pick<MeetingRow, 'id' | 'series_id'>): Promise<void> {
  const [table, id] = row.series_id === null ? ['meetings', row.id] : ['series', row.series_id];
  await tx.query(`update ${table} set sequence = sequence + 1 where id = $1`, [id]);
}
