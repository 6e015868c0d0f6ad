import type { getProjectStats } from '@atrium/proto-events/http/projects';
import type { Queryable } from '@atrium/service-kit/postgres';
import type { z } from 'zod';

/** A project with its team members, as the database has it. */
export type ProjectRow = {
  id: string;
  name: string;
  description: string;
  priority: 'urgent' | 'high' | 'medium' | 'low';
  status: 'not-started' | 'in-progress' | 'completed' | 'on-hold' | 'cancelled';
  manager_id: string;
  progress: number;
  budget: string | null;
  start_date: Date | null;
  due_date: Date | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  version: number;
  member_ids: string[];
};

/** Columns of a row of `projects p`, with the ids of its team in the order in which they were added. */
const COLUMNS = `p.*, array(
  select m.user_id from project_members m where m.project_id = p.id order by m.position
) as member_ids`;

export type NewProject = Pick<
  ProjectRow,
  'id' | 'name' | 'description' | 'priority' | 'status' | 'manager_id' | 'created_by'
> & {
  budget: number | null;
  start_date: string | null;
  due_date: string | null;
  member_ids: string[];
};

export async function insertProject(tx: Queryable, given: NewProject): Promise<ProjectRow> {
  await tx.query(
    `insert into projects (id, name, description, priority, status, manager_id, budget, start_date, due_date, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      given.id,
      given.name,
      given.description,
      given.priority,
      given.status,
      given.manager_id,
      given.budget,
      given.start_date,
      given.due_date,
      given.created_by,
    ],
  );
  await tx.query(
    `insert into project_members (project_id, user_id, position)
     select $1, user_id, position from unnest($2::text[]) with ordinality as given (user_id, position)`,
    [given.id, given.member_ids],
  );
  const row = await findProject(tx, given.id);
  if (!row) throw new Error('the project just inserted is not there');
  return row;
}

export async function findProject(db: Queryable, id: string): Promise<ProjectRow | undefined> {
  const { rows } = await db.query<ProjectRow>({
    name: 'find-project',
    text: `select ${COLUMNS} from projects p where p.id = $1`,
    values: [id],
  });
  return rows[0];
}

/**
 * The row locked until the transaction ends, so that the rules below hold for what is written. Read after the lock, for a statement
 * that waits would show the team as it was when it began.
 */
export async function lockProject(tx: Queryable, id: string): Promise<ProjectRow | undefined> {
  await tx.query('select 1 from projects where id = $1 for update', [id]);
  return findProject(tx, id);
}

export type ProjectFilter = {
  search?: string | undefined;
  status?: string[] | undefined;
  priority?: string[] | undefined;
};

const MATCHES = `($1::text is null or p.name ilike $1 or p.description ilike $1)
  and ($2::text[] is null or p.status = any($2)) and ($3::text[] is null or p.priority = any($3))`;

export async function listProjectRows(db: Queryable, filter: ProjectFilter, page: { limit: number; offset: number }) {
  const values = [
    filter.search ? `%${filter.search.replace(/[\\%_]/g, '\\$&')}%` : null,
    filter.status ?? null,
    filter.priority ?? null,
  ];
  const [list, count] = await Promise.all([
    db.query<ProjectRow>({
      name: 'list-projects',
      text: `select ${COLUMNS} from projects p where ${MATCHES} order by p.updated_at desc, p.id desc limit $4 offset $5`,
      values: [...values, page.limit, page.offset],
    }),
    db.query<{ total: number }>({
      name: 'count-projects',
      text: `select count(*) as total from projects p where ${MATCHES}`,
      values,
    }),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

/** Overdue: the date is past and the project neither completed nor cancelled (decisions, section 4). */
export async function countProjects(db: Queryable) {
  const { rows } = await db.query<z.input<(typeof getProjectStats)['response']>>(
    `select count(*) filter (where status in ('in-progress', 'not-started')) as active,
            count(*) filter (where status = 'completed') as completed,
            count(*) filter (where due_date < now() and status not in ('completed', 'cancelled')) as overdue,
            count(*) as total,
            count(*) filter (where status = 'not-started') as "notStarted",
            count(*) filter (where status = 'in-progress') as "inProgress",
            count(*) filter (where status = 'on-hold') as "onHold",
            count(*) filter (where status = 'cancelled') as cancelled
     from projects`,
  );
  const [counts] = rows;
  if (!counts) throw new Error('an aggregate always has a row');
  return counts;
}

export type ProjectChange = Partial<
  Pick<ProjectRow, 'name' | 'description' | 'priority' | 'status' | 'progress'> & {
    budget: number | null;
    start_date: string | null;
    due_date: string | null;
  }
>;

/**
 * Writes a change under the rules that must hold whoever writes at the same time, in one statement: a completed project stays as
 * it is and progress never falls. Answers undefined when a rule refused.
 */
export async function changeProject(tx: Queryable, id: string, change: ProjectChange): Promise<ProjectRow | undefined> {
  const columns = Object.keys(change);
  const sets = columns.map((column, index) => `${column} = $${index + 2}`);
  const { rowCount } = await tx.query(
    `update projects set ${[...sets, 'updated_at = now()', 'version = version + 1'].join(', ')}
     where id = $1 and status <> 'completed' and progress <= coalesce($${columns.length + 2}::smallint, 100)`,
    [id, ...Object.values(change), change.progress ?? null],
  );
  return rowCount === 1 ? findProject(tx, id) : undefined;
}

export async function removeProject(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from projects where id = $1', [id]);
}
