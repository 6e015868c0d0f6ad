import type { getProjectStats } from '@atrium/proto-events/http/projects';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { isPastDue } from '../local-date.ts';

type Stats = z.input<(typeof getProjectStats)['response']>;

/** Overdue: due before `today` (YYYY-MM-DD, of the caller) and neither completed nor cancelled. */
export async function countProjects(db: Queryable, today: string): Promise<Stats> {
  const { rows } = await db.query<Stats>({
    name: 'count-projects',
    text: `select count(*) filter (where status in ('in-progress', 'not-started')) as active,
                  count(*) filter (where status = 'completed') as completed,
                  count(*) as total,
                  count(*) filter (where status = 'not-started') as "notStarted",
                  count(*) filter (where status = 'in-progress') as "inProgress",
                  count(*) filter (where status = 'on-hold') as "onHold",
                  count(*) filter (where status = 'cancelled') as cancelled,
                  count(*) filter (where status in ('not-started', 'in-progress', 'on-hold') and ${isPastDue('$1')}) as overdue
           from projects`,
    values: [today],
  });
  const [counts] = rows;
  if (!counts) throw new Error('Project statistics query returned no row');
  return counts;
}
