import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';

const POLL_INTERVAL_MS = 60_000;

/**
 * Records all projects once per day (UTC) in one pod. After downtime the current day is recorded late, and days that have
 * passed are not recorded.
 */
export function recordSnapshots(db: Db, log: Logger): PollingLoop {
  return startPollingLoop({
    name: 'project snapshots',
    intervalMs: POLL_INTERVAL_MS,
    log,
    async round() {
      if (await isRecorded(db)) return false;
      const rows = await recordDay(db);
      if (rows !== undefined) log.info({ rows }, 'Recorded projects');
      return false;
    },
  });
}

const TODAY = `(now() at time zone 'UTC')::date`;

async function isRecorded(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'snapshot-day-exists',
    text: `select from snapshot_days where day = ${TODAY}`,
  });
  return rowCount === 1;
}

const STATE = ['status', 'progress', 'todo', 'in_progress', 'review', 'done'];
const columns = (table: string) => STATE.map((name) => `${table}.${name}`).join(', ');

/**
 * Records the projects that differ from their latest snapshot, and returns their number, or undefined if another pod has
 * recorded the day: its row of the day is the lock.
 */
export async function recordDay(db: Db): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const { rowCount: added } = await tx.query(
      `insert into snapshot_days (day, recorded_at) values (${TODAY}, now()) on conflict do nothing`,
    );
    if (added === 0) return undefined;
    const { rowCount } = await tx.query(
      `with counts as (
         select project_id,
                count(*) filter (where status = 'todo') as todo,
                count(*) filter (where status = 'in-progress') as in_progress,
                count(*) filter (where status = 'review') as review,
                count(*) filter (where status = 'done') as done
         from tasks group by project_id
       ), current as (
         select p.id as project_id, p.status, p.progress, coalesce(c.todo, 0) as todo,
                coalesce(c.in_progress, 0) as in_progress, coalesce(c.review, 0) as review, coalesce(c.done, 0) as done
         from projects p left join counts c on c.project_id = p.id
       )
       insert into project_snapshots (project_id, day, ${STATE.join(', ')})
       select current.project_id, ${TODAY}, ${columns('current')}
       from current left join lateral (
         select * from project_snapshots s where s.project_id = current.project_id order by s.day desc limit 1
       ) as latest on true
       where (${columns('current')}) is distinct from (${columns('latest')})`,
    );
    return rowCount ?? 0;
  });
}
