import { priority as priorities, projectStatus } from '@atrium/proto-events/http/projects';
import type { Queryable } from '@atrium/service-kit/postgres';
import { apart, patternOf, type SqlValues, sqlValues } from '../sql-values.ts';
import { PROJECT_COLUMNS, type ProjectRow } from './project-repository.ts';

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
  const { name, set, total } = filter.search || filter.person ? found(filter, sql) : counted(filter, sql);
  const { rows } = await db.query<Paged | { id: null; total: number }>({
    // A search has a plan of its own each time: how much it finds is the pattern's affair.
    ...(!filter.search && { name }),
    text: `with listed as ${set},
           page as (select id from listed order by ${ORDER} limit ${sql.add(page.limit)} offset ${sql.add(page.offset)})
           select ${PROJECT_COLUMNS}, counted.total
           from (${total}) as counted left join (page join projects p using (id)) on true
           order by p.updated_at desc, p.id desc`,
    values: sql.values,
  });
  return { rows: rows.filter((row): row is Paged => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** What the database keeps count of, and has in order. */
function counted({ status, priority }: ProjectFilter, sql: SqlValues) {
  const select = 'select id, updated_at from projects';
  const kinds = [status && `status = any(${sql.add(status)})`, priority && `priority = any(${sql.add(priority)})`];
  const where = kinds.filter(Boolean).join(' and ') || 'true';
  const set =
    status || priority
      ? apart(
          select,
          { fixed: [], statuses: status ?? projectStatus.options, priorities: priority ?? priorities.options },
          sql,
        )
      : select;
  return {
    name: `list-projects-${status?.length ?? 0}-${priority?.length ?? 0}`,
    set: `not materialized (${set})`,
    total: `select coalesce(sum(n), 0) as total from project_counts where ${where}`,
  };
}

/** What must be looked for: found once, counted and sorted, whatever a planner thinks of how much it may be. */
function found({ person, search, status, priority }: ProjectFilter, sql: SqlValues) {
  const conditions = [
    person && ofPerson(sql.add(person)),
    search && `lower(name || E'\\n' || description) like lower(${sql.add(patternOf(search))})`,
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

const ofPerson = (person: string) => `id in (
  select id from projects where manager_id = ${person} union select project_id from project_members where user_id = ${person}
)`;
