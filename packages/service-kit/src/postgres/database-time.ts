import type { Queryable } from './postgres.ts';

/** The database's time, which all pods of a service share: for timestamps that one pod records and another compares. */
export async function databaseTime(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>({ name: 'database-time', text: 'select clock_timestamp() as now' });
  const [row] = rows;
  if (!row) throw new Error('The database returned no time');
  return row.now;
}
