import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/**
 * The next remaining date after the cancelled one, else the previous upcoming one, else the nearest. Only dates the user is invited to, or
 * all if no user is given. Undefined if there is none.
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

/** All, or those from a start of the rule on. */
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
