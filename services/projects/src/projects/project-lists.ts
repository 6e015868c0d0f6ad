import { priority as priorities, projectStatus } from '@atrium/proto-events/http/projects';
import type { Queryable } from '@atrium/service-kit/postgres';
import type { Stretch } from '../remembered-page.ts';
import { addLimits, apart, contains, type Limits, pageOf, type SqlValues, sqlValues } from '../sql-values.ts';
import { PROJECT_COLUMNS, PROJECT_STATE, type ProjectRow } from './project-repository.ts';

export type ProjectFilter = {
  /** Projects that this person manages or is in. */
  person?: string;
  search?: string | undefined;
  status?: string[] | undefined;
  priority?: string[] | undefined;
};

type Paged = ProjectRow & { total: number };

const ORDER = 'updated_at desc, id desc';

/** One page of projects, the most recently changed first, and how many there are. */
export async function listProjectRows(db: Queryable, filter: ProjectFilter, page: { limit: number; offset: number }) {
  const sql = sqlValues();
  const limits = addLimits(page, sql);
  const { name, set, total } = filter.search || filter.person ? found(filter, sql) : counted(filter, limits, sql);
  const { rows } = await db.query<Paged | { id: null; total: number }>({
    // Searches differ too much for one of them to stay prepared.
    ...(!filter.search && { name }),
    text: `with listed as ${set},
           page as (${pageOf(ORDER, limits)})
           select ${PROJECT_COLUMNS}, counted.total
           from (${total}) as counted left join (page join projects p on p.id = page.id) on true
           order by p.updated_at desc, p.id desc`,
    values: sql.values,
  });
  return { rows: rows.filter((row): row is Paged => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** Which projects stand on a stretch of a list, and in which state of all of them. */
export async function findProjectIds(
  db: Queryable,
  filter: ProjectFilter,
  page: { limit: number; offset: number },
): Promise<Stretch> {
  const sql = sqlValues();
  const limits = addLimits(page, sql);
  const { name, set, total } = filter.search ? found(filter, sql) : counted(filter, limits, sql);
  const { rows } = await db.query<Stretch>({
    ...(!filter.search && { name: `${name}-ids` }),
    text: `with listed as ${set}, page as (${pageOf(ORDER, limits, page.limit)})
           select counted.total, ${PROJECT_STATE} as generation, array(select id from page order by ${ORDER}) as ids
           from (${total}) as counted`,
    values: sql.values,
  });
  const [stretch] = rows;
  if (!stretch) throw new Error('a total always has a row');
  return stretch;
}

/** What the database keeps count of, and has in order. */
function counted(filter: ProjectFilter, limits: Limits, sql: SqlValues) {
  const { status, priority } = filter;
  const kinds = [status && `status = any(${sql.add(status)})`, priority && `priority = any(${sql.add(priority)})`];
  return {
    name: `list-projects-${status?.length ?? 0}-${priority?.length ?? 0}`,
    set: `not materialized (${inOrder(filter, limits, sql)})`,
    total: `select coalesce(sum(n), 0) as total from project_counts where ${kinds.filter(Boolean).join(' and ') || 'true'}`,
  };
}

function inOrder({ status, priority }: ProjectFilter, { limit, offset }: Limits, sql: SqlValues): string {
  const select = 'select id, updated_at from projects';
  if (!status && !priority) return select;
  const kinds = { statuses: status ?? projectStatus.options, priorities: priority ?? priorities.options };
  return apart({ select, fixed: [], ...kinds, order: ORDER, enough: `${limit} + ${offset}` }, sql);
}

/** What must be looked for: found once, counted and sorted, whatever a planner thinks of how much it may be. */
function found({ person, search, status, priority }: ProjectFilter, sql: SqlValues) {
  const conditions = [
    person && ofPerson(sql.add(person)),
    search && contains(`lower(name || E'\\n' || description)`, search, sql),
    status && `status = any(${sql.add(status)})`,
    priority && `priority = any(${sql.add(priority)})`,
  ];
  const where = conditions.filter(Boolean).join(' and ');
  return {
    name: `my-projects-${status ? 's' : ''}${priority ? 'p' : ''}`,
    set: `materialized (select id, updated_at from projects where ${where})`,
    total: 'select count(*) as total from listed',
  };
}

/** As an array, because a planner takes such a set for larger than it is and reads every project instead. */
const ofPerson = (person: string) => `id = any(array(
  select id from projects where manager_id = ${person} union select project_id from project_members where user_id = ${person}
))`;
