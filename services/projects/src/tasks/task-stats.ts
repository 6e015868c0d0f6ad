import type { getTaskStats } from '@atrium/proto-events/http/tasks';
import { withValues } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { isPastDue } from '../local-date.ts';

type Stats = z.input<(typeof getTaskStats)['response']>;
type Of = { userId?: string | undefined; projectId?: string | undefined };
type Asked = Of & { /** The reader's day, YYYY-MM-DD. */ today: string };

/** Counts by status, of everything, a project, a person or both; overdue is due before `today` and not done. */
export async function countTasks(db: Queryable, { userId, projectId, today }: Asked): Promise<Stats> {
  const { where, values } = withValues({ 'project_id = ?': projectId, 'assigned_to = ?': userId });
  // As the index `tasks_late` has it.
  const late = `(status <> 'done') is true and ${isPastDue(`$${values.length + 1}`)}`;
  const isOfAll = values.length === 0;
  const { rows } = await db.query<Stats>(
    `select coalesce(sum(n), 0) as total,
            coalesce(sum(n) filter (where status = 'todo'), 0) as todo,
            coalesce(sum(n) filter (where status = 'in-progress'), 0) as "inProgress",
            coalesce(sum(n) filter (where status = 'review'), 0) as review,
            coalesce(sum(n) filter (where status = 'done'), 0) as done,
            (select count(*) from tasks where ${where} and ${late}) as overdue
     from ${isOfAll ? 'task_totals' : `(select status, 1 as n from tasks where ${where}) as theirs`}`,
    [...values, today],
  );
  const [counts] = rows;
  if (!counts) throw new Error('an aggregate always has a row');
  return counts;
}
