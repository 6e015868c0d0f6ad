import type { Queryable } from '@atrium/service-kit/postgres/postgres';

type StoredOnDay = { day: string; files: number; bytes: number };

/** Sums the files that are stored now by the day on which they were added, oldest first, without pending uploads. */
export async function readStorageHistory(
  { db }: { db: Queryable },
  { timezone }: { timezone: string },
): Promise<{ days: StoredOnDay[] }> {
  const { rows: days } = await db.query<StoredOnDay>({
    name: 'list-storage-history',
    text: `select (created_at at time zone $1)::date::text as day, count(*) as files, sum(size)::bigint as bytes
           from objects group by 1 order by 1`,
    values: [timezone],
  });
  return { days };
}
