import { priority as priorities } from '@atrium/proto-events/http/projects';
import { taskStatus } from '@atrium/proto-events/http/tasks';
import type { Queryable } from '@atrium/service-kit/postgres';
import { apart, patternOf, type SqlValues, sqlValues } from '../sql-values.ts';
import { type TaskRow, taskColumns } from './task-repository.ts';

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
  const fixed = fixedBy(filter, sql);
  const columns = taskColumns(sql.add(callerId));
  const limits = { limit: sql.add(page.limit), offset: sql.add(page.offset) };
  const isCounted = !filter.search && fixed.length < 2;
  const { listed, total } = isCounted ? counted(filter, fixed, { sql, ...limits }) : found(filter, fixed, sql);
  const order = ORDER[filter.sort];
  const { rows } = await db.query<Paged | { id: null; total: number }>({
    // A search has a plan of its own each time: how much it finds is the pattern's affair.
    ...(!filter.search && { name: nameOf(filter) }),
    text: `with listed as ${listed},
           page as (select * from listed as page order by ${order} limit ${limits.limit} offset ${limits.offset})
           select ${columns}, counted.total
           from (${total}) as counted
           left join (page join tasks t using (id) join projects p on p.id = t.project_id) on true
           order by ${order}`,
    values: sql.values,
  });
  return { rows: rows.filter((row): row is Paged => row.id !== null), total: rows[0]?.total ?? 0 };
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

type Counting = { sql: SqlValues; limit: string; offset: string };

/** Of everything, a project or a person: what the database keeps count of, and has in order. */
function counted(filter: TaskFilter, fixed: string[], counting: Counting) {
  const scope = [
    ...(fixed.some((condition) => condition.startsWith('project_id')) ? [] : [`project_id = ''`]),
    ...(fixed.some((condition) => condition.startsWith('assigned_to')) ? [] : [`assigned_to = ''`]),
  ];
  const where = [...fixed, ...scope, ...kindsBy(filter, counting.sql)].join(' and ');
  return {
    listed: `not materialized (${filter.sort === 'priority' ? urgentFirst(filter, fixed, counting) : newest(filter, fixed, counting.sql)})`,
    total: `select coalesce(sum(n), 0) as total from task_counts where ${where}`,
  };
}

function newest({ status, priority }: TaskFilter, fixed: string[], sql: SqlValues): string {
  const select = 'select id, created_at from tasks';
  if (!status && !priority) return fixed.length > 0 ? `${select} where ${fixed.join(' and ')}` : select;
  const kinds = { statuses: status ?? taskStatus.options, priorities: priority ?? priorities.options };
  return apart(select, { fixed, ...kinds }, sql);
}

/** The first so many of each priority are enough for a page, and each is in order already. */
function urgentFirst({ status, priority }: TaskFilter, fixed: string[], { sql, limit, offset }: Counting): string {
  return priorities.options
    .filter((one) => priority?.includes(one) ?? true)
    .map((one) => {
      const kinds = { statuses: status ?? taskStatus.options, priorities: [one] };
      const set = apart('select id, due_date from tasks', { fixed, ...kinds }, sql);
      const rank = priorities.options.indexOf(one) + 1;
      return `(select id, due_date, ${rank} as rank from (${set}) as one
               order by due_date, id limit ${limit}::integer + ${offset}::integer)`;
    })
    .join(' union all ');
}

/** What must be looked for: found once, counted and sorted, whatever a planner thinks of how much it may be. */
function found(filter: TaskFilter, fixed: string[], sql: SqlValues) {
  const { search } = filter;
  const conditions = [
    ...fixed,
    ...(search ? [`lower(title || E'\\n' || description) like lower(${sql.add(patternOf(search))})`] : []),
    ...kindsBy(filter, sql),
  ];
  return {
    listed: `materialized (select id, created_at, due_date, ${RANK} as rank from tasks where ${conditions.join(' and ')})`,
    total: 'select count(*) as total from listed',
  };
}
