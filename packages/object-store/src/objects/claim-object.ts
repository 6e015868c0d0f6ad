import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** Longer than an object takes: half a minute to load, half a minute to process, and some time to record the result. */
const LEASE_SECONDS = 150;
const MIN_RETRY_DELAY_SECONDS = 5;
const MAX_RETRY_DELAY_SECONDS = 3_600;

/** Objects are claimed in descending order of this column. */
const ORDER_COLUMN = { object_texts: 'created_at', thumbnails: 'requested_at' } as const;
type WorkQueue = keyof typeof ORDER_COLUMN;

export type ClaimedObject = { object_key: string; unfinished: number; mimetype: string; size: number };

/**
 * Claims the most recent pending object. The claim of a crashed worker expires with its lease. Objects missing in
 * the store are not claimed until they exist again.
 */
export async function claimObject(db: Queryable, queue: WorkQueue): Promise<ClaimedObject | undefined> {
  const { rows } = await db.query<ClaimedObject>({
    name: `claim-${queue}`,
    text: `update ${queue} q set unfinished = unfinished + 1, not_before = now() + make_interval(secs => $1)
      from objects o
      where o.object_key = q.object_key and q.object_key = (
        select object_key from ${queue} w where state = 'pending' and not_before <= now()
          and not exists (select from objects l where l.object_key = w.object_key and l.missing_since is not null)
        order by ${ORDER_COLUMN[queue]} desc limit 1 for update skip locked
      ) and q.state = 'pending'
      returning q.object_key, q.unfinished, o.mimetype, o.size`,
    values: [LEASE_SECONDS],
  });
  return rows[0];
}

type ReleaseClaimParams = { objectKey: string; isFailure: boolean; wasKilled: boolean };

/**
 * Schedules a retry: after a growing delay, or immediately if the service is shutting down. `unfinished` then counts
 * this attempt only if its worker was killed.
 */
export async function releaseClaim(
  db: Queryable,
  queue: WorkQueue,
  { objectKey, isFailure, wasKilled }: ReleaseClaimParams,
): Promise<void> {
  await db.query(
    `update ${queue} set unfinished = unfinished - $5::integer, tries = tries + $2::integer,
       not_before = now() + case when $2::integer = 0 then interval '0' else
         make_interval(secs => least($4::float8, $3::float8 * power(2, least(tries, 20)))) end
     where object_key = $1 and state = 'pending'`,
    [objectKey, isFailure ? 1 : 0, MIN_RETRY_DELAY_SECONDS, MAX_RETRY_DELAY_SECONDS, wasKilled ? 0 : 1],
  );
}
