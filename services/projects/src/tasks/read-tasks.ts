import type { RequestOf } from '@atrium/proto-events/endpoint';
import { priority as priorities } from '@atrium/proto-events/http/projects';
import type {
  listComments as listCommentsContract,
  listProjectTasks as listProjectTasksContract,
  getTaskStats as statsContract,
} from '@atrium/proto-events/http/tasks';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import { bindConditions, findPage, type ListQuery } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { isPastDue, localDateOf } from '../projects/local-date.ts';
import { projectExists } from '../projects/project-repository.ts';
import { listCommentRows } from './comment-repository.ts';
import { presentComment, presentTask } from './present-task.ts';
import { findTask, readTasks } from './task-repository.ts';

/** Comments included in a task; the others are paginated. */
const EMBEDDED_COMMENTS = 50;

type Query = TaskFilter & { page: number; limit: number };

/** Lists tasks, which are visible to every signed-in user. */
export async function listTasks({ db, directory }: Deps, caller: Caller, query: Query) {
  const { ids, total, hasMore, asOf } = await findPage(db, toTaskListQuery(query), query);
  const rows = await readTasks(db, ids, caller.userId);
  return toPage(
    rows.map((row) => presentTask(directory, caller, row)),
    total,
    { ...query, hasMore, asOf },
  );
}

export async function listProjectTasks(
  deps: Deps,
  caller: Caller,
  { projectId, query }: { projectId: string; query: RequestOf<typeof listProjectTasksContract>['query'] },
) {
  const [exists, page] = await Promise.all([
    projectExists(deps.db, projectId),
    listTasks(deps, caller, { ...query, project: projectId }),
  ]);
  if (!exists) throw notFound('Project');
  return page;
}

export async function getTask({ db, directory }: Deps, caller: Caller, id: string) {
  const [row, comments] = await Promise.all([
    findTask(db, id, caller.userId),
    listCommentRows(db, id, { limit: EMBEDDED_COMMENTS }),
  ]);
  if (!row) throw notFound('Task');
  return {
    ...presentTask(directory, caller, row),
    comments: comments.toReversed().map((comment) => presentComment(directory, caller, comment)),
  };
}

type CommentQuery = { id: string; query: RequestOf<typeof listCommentsContract>['query'] };

export async function listComments({ db, directory }: Deps, caller: Caller, { id, query }: CommentQuery) {
  const [task, rows] = await Promise.all([findTask(db, id, caller.userId), listCommentRows(db, id, toLimits(query))]);
  if (!task) throw notFound('Task');
  return toPage(
    rows.map((row) => presentComment(directory, caller, row)),
    task.comment_count,
    query,
  );
}

export type TaskFilter = {
  ids?: string[] | undefined;
  project?: string | undefined;
  assignedTo?: string | undefined;
  /** Created by this user, and assigned to another one. */
  delegatedBy?: string | undefined;
  search?: string | undefined;
  status?: string[] | undefined;
  priority?: string[] | undefined;
  completedFrom?: string | undefined;
  completedBefore?: string | undefined;
  dueFrom?: string | undefined;
  dueBefore?: string | undefined;
  due?: 'none' | undefined;
  sort: 'newest' | 'priority' | 'due';
};

/** Must match the index `tasks_by_priority`. */
const URGENT_FIRST = `array_position(array['${priorities.options.join("', '")}'], priority)`;

/** The rules of browsers are those in proto-events/src/responses/projects.ts. */
const ORDERS = {
  newest: 'created_at desc, id desc',
  priority: `${URGENT_FIRST}, due_date, id`,
  due: `due_date, ${URGENT_FIRST}, id`,
} as const;

/**
 * Sorts a filtered list without the index (`+ 0` hides it), because walking the index of all tasks would read too much.
 */
const orderByClause = (sort: TaskFilter['sort'], isUnfiltered: boolean) =>
  sort === 'priority' && !isUnfiltered ? `${URGENT_FIRST} + 0, due_date, id` : ORDERS[sort];

export const toTaskListQuery = ({
  ids,
  project,
  assignedTo,
  delegatedBy,
  search,
  status,
  priority,
  completedFrom,
  completedBefore,
  dueFrom,
  dueBefore,
  due,
  sort,
}: TaskFilter): ListQuery => ({
  from: 'tasks',
  where: {
    'id = any(?)': ids,
    'project_id = ?': project,
    'assigned_to = ?': assignedTo === 'none' ? undefined : assignedTo,
    'assigned_to is null and ?': assignedTo === 'none' || undefined,
    'created_by = ? and assigned_to <> created_by': delegatedBy,
    'status = any(?)': status,
    'priority = any(?)': priority,
    'completed_at >= ?': completedFrom,
    'completed_at < ?': completedBefore,
    'due_date >= ?': dueFrom,
    'due_date < ?': dueBefore,
    'due_date is null and ?': due === 'none' || undefined,
  },
  search: { column: 'search', text: search },
  orderBy: orderByClause(sort, !ids && !project && !assignedTo && !delegatedBy),
});

type Stats = z.input<(typeof statsContract)['response']>;

type StatsQuery = RequestOf<typeof statsContract>['query'];

export const getTaskStats = ({ db, directory }: Deps, caller: Caller, query: StatsQuery) =>
  countTasks(db, { ...query, today: localDateOf(directory, caller) });

/** Overdue tasks were due before `today` (YYYY-MM-DD), and are not done. */
export async function countTasks(
  db: Queryable,
  { userId, projectId, today }: StatsQuery & { today: string },
): Promise<Stats> {
  const { where, values } = bindConditions({ 'project_id = ?': projectId, 'assigned_to = ?': userId });
  // Must match the index `tasks_overdue`.
  const overdue = `(status <> 'done') is true and ${isPastDue(`$${values.length + 1}`)}`;
  const { rows } = await db.query<Stats>(
    `select coalesce(sum(n), 0) as total,
            coalesce(sum(n) filter (where status = 'todo'), 0) as todo,
            coalesce(sum(n) filter (where status = 'in-progress'), 0) as "inProgress",
            coalesce(sum(n) filter (where status = 'review'), 0) as review,
            coalesce(sum(n) filter (where status = 'done'), 0) as done,
            (select count(*) from tasks where ${where} and ${overdue}) as overdue
     from (select status, count(*)::int as n from tasks where ${where} group by status) as counts`,
    [...values, today],
  );
  const [counts] = rows;
  if (!counts) throw new Error('Task statistics query returned no row');
  return counts;
}
