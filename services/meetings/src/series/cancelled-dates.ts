import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/**
 * What is left of the series that a cancelled date was of, as far as this person is invited to it (to all of it, where nobody is named): the next
 * date that is to come after it, else one before it, else the nearest that there was. Undefined where there is none.
 */
export async function findReplacement(
  db: Queryable,
  cancelledId: string,
  userId: string | undefined,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `select m.id from cancelled_dates c join meetings m on m.series_id = c.series_id
     where c.meeting_id = $1
       and ($2::text is null or exists (select from participants p where p.meeting_id = m.id and p.user_id = $2))
     order by m.ends_at > now() desc, m.original_start >= c.original_start desc,
              abs(extract(epoch from m.original_start - c.original_start)) limit 1`,
    [cancelledId, userId ?? null],
  );
  return rows[0]?.id;
}

/** Gives the cancelled dates of a series from a start of its rule on, or all of them, to the one that continues it. */
export async function transferCancelledDates(
  tx: Queryable,
  { seriesId, from }: { seriesId: string; from: Date | undefined },
  toSeriesId: string,
): Promise<void> {
  await tx.query(
    `update cancelled_dates set series_id = $2 where series_id = $1 and ($3::timestamptz is null or original_start >= $3)`,
    [seriesId, toSeriesId, from ?? null],
  );
}
