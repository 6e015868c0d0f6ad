import type { getProjectStats } from '@atrium/proto-events/http/projects';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { isPastDue } from '../local-date.ts';

type Stats = z.input<(typeof getProjectStats)['response']>;

/** Overdue: due before `today` (YYYY-MM-DD, of the caller) and neither completed nor cancelled. */
export async function countProjects(db: Queryable, today: string): Promise<Stats> {
  const { rows } = await db.query<Stats>({
    name: 'count-projects',
    text: `select coalesce(sum(n) filter (where status in ('in-progress', 'not-started')), 0) as active,
                  coalesce(sum(n) filter (where status = 'completed'), 0) as completed,
                  coalesce(sum(n), 0) as total,
                  coalesce(sum(n) filter (where status = 'not-started'), 0) as "notStarted",
                  coalesce(sum(n) filter (where status = 'in-progress'), 0) as "inProgress",
                  coalesce(sum(n) filter (where status = 'on-hold'), 0) as "onHold",
                  coalesce(sum(n) filter (where status = 'cancelled'), 0) as cancelled,
                  (select count(*) from projects
                   where status = any('{not-started,in-progress,on-hold}') and ${isPastDue('$1')}) as overdue
           from (select status, count(*)::int as n from projects group by status) as counts`,
    values: [today],
  });
  const [counts] = rows;
  if (!counts) throw new Error('Project statistics query returned no row');
  return counts;
}
