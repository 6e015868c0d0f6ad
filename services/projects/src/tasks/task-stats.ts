import type { getTaskStats } from '@atrium/proto-events/http/tasks';
import type { Queryable } from '@atrium/service-kit/postgres';
import type { z } from 'zod';
import { isPastDue, sqlValues } from '../sql-values.ts';

type Stats = z.input<(typeof getTaskStats)['response']>;
type Of = { userId?: string | undefined; projectId?: string | undefined };
type Asked = Of & { /** The reader's day, YYYY-MM-DD. */ today: string };

/** Each status and priority looked up apart, so that only what is overdue is read of the index. */
const overdueOf = (conditions: string[], today: string) => `(
  select count(*)
  from unnest('{todo,in-progress,review}'::text[]) as s (status), unnest('{urgent,high,medium,low}'::text[]) as p (priority),
       lateral (
         select from tasks t
         where ${[...conditions, 't.status = s.status', 't.priority = p.priority'].join(' and ')} and ${isPastDue('t.due_date', today)}
         offset 0
       ) as late
)`;

/** Of everything there may be very much, so it is counted by the day already. */
const overdueOfAll = (today: string) => `(select coalesce(sum(n), 0) from task_due_counts where day < ${today}::date)`;

/** Counts by status, of everything, a project, a person or both; overdue is due before `today` and not done. */
export async function countTasks(db: Queryable, { userId, projectId, today: day }: Asked): Promise<Stats> {
  const sql = sqlValues();
  const project = sql.add(projectId ?? '');
  const person = sql.add(userId ?? '');
  const today = sql.add(day);
  const fixed = [...(projectId ? [`project_id = ${project}`] : []), ...(userId ? [`assigned_to = ${person}`] : [])];
  const both = projectId && userId;
  const { rows } = await db.query<Stats>({
    name: `count-tasks-${projectId ? 'p' : ''}${userId ? 'a' : ''}`,
    text: `select coalesce(sum(n), 0) as total,
                  coalesce(sum(n) filter (where status = 'todo'), 0) as todo,
                  coalesce(sum(n) filter (where status = 'in-progress'), 0) as "inProgress",
                  coalesce(sum(n) filter (where status = 'review'), 0) as review,
                  coalesce(sum(n) filter (where status = 'done'), 0) as done,
                  ${fixed.length === 0 ? overdueOfAll(today) : overdueOf(fixed, today)} as overdue
           from ${
             both
               ? `(select status, 1 as n from tasks where project_id = ${project} and assigned_to = ${person}) as mine`
               : `task_counts where project_id = ${project} and assigned_to = ${person}`
           }`,
    values: sql.values,
  });
  const [counts] = rows;
  if (!counts) throw new Error('an aggregate always has a row');
  return counts;
}
