import { AppError } from '@atrium/service-kit/http/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

type DailyCount = { created: number; seconds_left: number };

/** Counts a new group against its creator's day (UTC), in the transaction that creates it. Throws `rate_limited`; 0 is no limit. */
export async function chargeGroup(tx: Queryable, userId: string, maxPerDay: number): Promise<void> {
  if (maxPerDay === 0) return;
  const { rows } = await tx.query<DailyCount>(
    `insert into group_creations as g (user_id, day, created) values ($1, (now() at time zone 'utc')::date, 1)
     on conflict (user_id) do update set day = excluded.day,
       created = case when g.day = excluded.day then g.created + 1 else 1 end
     returning created,
       ceil(extract(epoch from (day + 1)::timestamp - now() at time zone 'utc'))::integer as seconds_left`,
    [userId],
  );
  const [count] = rows;
  if (!count || count.created <= maxPerDay) return;
  throw new AppError('rate_limited', `You can create up to ${maxPerDay} groups per day. Please try again tomorrow.`, {
    retryAfterSeconds: count.seconds_left,
  });
}
