import { priority as priorities } from '@atrium/proto-events/http/projects';
import { taskStatus } from '@atrium/proto-events/http/tasks';
import type { Queryable } from '@atrium/service-kit/postgres';
import type { Stretch } from '../remembered-page.ts';
import { addLimits, apart, contains, type Limits, pageOf, type SqlValues, sqlValues } from '../sql-values.ts';
import { TASK_STATE, type TaskRow, taskColumns } from './task-repository.ts';

export type TaskFilter = {
  project?: string | undefined;
  assignedTo?: string | undefined;
  search?: string | undefined;
  status?: string[] | undefined;
  priority?: string[] | undefined;
  sort: 'newest' | 'priority';
};

type Page = { limit: number; offset: number };
type Paged = TaskRow & { total: number };

/** How urgent, as a number to sort by. */
const RANK = `array_position(array['${priorities.options.join("', '")}'], priority)`;
const ORDER = { newest: 'page.created_at desc, page.id desc', priority: 'page.rank, page.due_date, page.id' };

/** One page of tasks and how many there are, for a caller. */
export async function listTaskRows(db: Queryable, filter: TaskFilter, page: Page, callerId: string) {
  const sql = sqlValues();
  const { listed, total, limits, order } = arrange(filter, page, sql);
  const columns = taskColumns(sql.add(callerId));
  const { rows } = await db.query<Paged | { id: null; total: number }>({
    // Searches differ too much for one of them to stay prepared.
    ...(!filter.search && { name: nameOf(filter) }),
    text: `with listed as ${listed},
           page as (${pageOf(order, limits)})
           select ${columns}, counted.total
           from (${total}) as counted
           left join (page join tasks t on t.id = page.id join projects p on p.id = t.project_id) on true
           order by ${order}`,
    values: sql.values,
  });
  return { rows: rows.filter((row): row is Paged => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** Who stands on a stretch of a list, and in which state of all tasks. */
export async function findTaskIds(db: Queryable, filter: TaskFilter, page: Page): Promise<Stretch> {
  const sql = sqlValues();
  const { listed, total, limits, order } = arrange(filter, page, sql);
  const { rows } = await db.query<Stretch>({
    ...(!filter.search && { name: `${nameOf(filter)}-ids` }),
    text: `with listed as ${listed}, page as (${pageOf(order, limits, page.limit)})
           select counted.total, ${TASK_STATE} as generation, array(select page.id from page order by ${order}) as ids
           from (${total}) as counted`,
    values: sql.values,
  });
  const [stretch] = rows;
  if (!stretch) throw new Error('a total always has a row');
  return stretch;
}

/** The set that a filter leaves, how many there are in it, and the page's place in its order. */
function arrange(filter: TaskFilter, page: Page, sql: SqlValues) {
  const fixed = fixedBy(filter, sql);
  const limits = addLimits(page, sql);
  const isCounted = !filter.search && fixed.length < 2;
  const set = isCounted ? counted(filter, fixed, { sql, limits }) : found(filter, fixed, sql);
  return { ...set, limits, order: ORDER[filter.sort] };
}

function fixedBy({ project, assignedTo }: TaskFilter, sql: SqlValues): string[] {
  return [
    ...(project ? [`project_id = ${sql.add(project)}`] : []),
    ...(assignedTo ? [`assigned_to = ${sql.add(assignedTo)}`] : []),
  ];
}

const kindsBy = ({ status, priority }: TaskFilter, sql: SqlValues): string[] => [
  ...(status ? [`status = any(${sql.add(status)})`] : []),
  ...(priority ? [`priority = any(${sql.add(priority)})`] : []),
];

const nameOf = ({ project, assignedTo, status, priority, sort }: TaskFilter) =>
  `tasks-${sort}-${project ? 'p' : ''}${assignedTo ? 'a' : ''}-${status?.length ?? 0}-${priority?.length ?? 0}`;

type Counting = { sql: SqlValues; limits: Limits };

/** Of everything, a project or a person: what the database keeps count of, and has in order. */
function counted(filter: TaskFilter, fixed: string[], { sql, limits }: Counting) {
  const others = [...(filter.project ? [] : [`project_id = ''`]), ...(filter.assignedTo ? [] : [`assigned_to = ''`])];
  const where = [...fixed, ...others, ...kindsBy(filter, sql)].join(' and ');
  return {
    listed: `not materialized (${inOrder(filter, fixed, { sql, limits })})`,
    total: `select coalesce(sum(n), 0) as total from task_counts where ${where}`,
  };
}

function inOrder({ status, priority, sort }: TaskFilter, fixed: string[], { sql, limits }: Counting): string {
  const newest = 'select id, created_at from tasks';
  if (sort === 'newest' && !status && !priority) {
    return fixed.length > 0 ? `${newest} where ${fixed.join(' and ')}` : newest;
  }
  const kinds = { fixed, statuses: status ?? taskStatus.options, enough: `${limits.limit} + ${limits.offset}` };
  if (sort === 'newest') {
    const order = 'created_at desc, id desc';
    return apart({ ...kinds, select: newest, priorities: priority ?? priorities.options, order }, sql);
  }
  return priorities.options
    .map((one, index) => ({ one, rank: index + 1 }))
    .filter(({ one }) => priority?.includes(one) ?? true)
    .map(({ one, rank }) => {
      const select = `select id, due_date, ${rank} as rank from tasks`;
      return apart({ ...kinds, select, priorities: [one], order: 'due_date, id' }, sql);
    })
    .join(' union all ');
}

/** What must be looked for: found once, counted and sorted, whatever a planner thinks of how much it may be. */
function found(filter: TaskFilter, fixed: string[], sql: SqlValues) {
  const { search } = filter;
  const conditions = [
    ...fixed,
    ...(search ? [contains(`lower(title || E'\\n' || description)`, search, sql)] : []),
    ...kindsBy(filter, sql),
  ];
  return {
    listed: `materialized (select id, created_at, due_date, ${RANK} as rank from tasks where ${conditions.join(' and ')})`,
    total: 'select count(*) as total from listed',
  };
}
