import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { MeetingRow } from './meeting-repository.ts';

/** Increments the revision of the calendar object (RFC 5545, 3.8.7.4), which occurrences share with their series. */
export async function countSequence(tx: Queryable, row: Pick<MeetingRow, 'id' | 'series_id'>): Promise<void> {
  const [table, id] = row.series_id === null ? ['meetings', row.id] : ['series', row.series_id];
  await tx.query(`update ${table} set sequence = sequence + 1 where id = $1`, [id]);
}
