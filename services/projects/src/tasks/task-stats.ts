import type { getTaskStats } from '@atrium/proto-events/http/tasks';
import { withValues } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { isPastDue } from '../local-date.ts';

type Stats = z.input<(typeof getTaskStats)['response']>;
type TaskScopeFilter = { userId?: string | undefined; projectId?: string | undefined };
type CountTasksParams = TaskScopeFilter & { /** The reader's day, YYYY-MM-DD. */ today: string };

/** Overdue: due before `today` and not done. */
export async function countTasks(db: Queryable, { userId, projectId, today }: CountTasksParams): Promise<Stats> {
  const { where, values } = withValues({ 'project_id = ?': projectId, 'assigned_to = ?': userId });
  // Must match the index `tasks_late`.
  const late = `(status <> 'done') is true and ${isPastDue(`$${values.length + 1}`)}`;
  const { rows } = await db.query<Stats>(
    `select coalesce(sum(n), 0) as total,
            coalesce(sum(n) filter (where status = 'todo'), 0) as todo,
            coalesce(sum(n) filter (where status = 'in-progress'), 0) as "inProgress",
            coalesce(sum(n) filter (where status = 'review'), 0) as review,
            coalesce(sum(n) filter (where status = 'done'), 0) as done,
            (select count(*) from tasks where ${where} and ${late}) as overdue
     from (select status, count(*)::int as n from tasks where ${where} group by status) as counts`,
    [...values, today],
  );
  const [counts] = rows;
  if (!counts) throw new Error('Task statistics query returned no row');
  return counts;
}
