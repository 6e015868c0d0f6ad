import type { Queryable } from './postgres.ts';

/** The time by the database's clock, which all pods of a service share: for moments that one pod notes and another one compares. */
export async function databaseTime(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>({ name: 'database-time', text: 'select clock_timestamp() as now' });
  const [row] = rows;
  if (!row) throw new Error('the database told no time');
  return row.now;
}
