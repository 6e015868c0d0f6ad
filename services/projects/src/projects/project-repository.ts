import type { HealthStatus } from '@atrium/proto-events/http/projects';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type ProjectRow = {
  id: string;
  name: string;
  description: string;
  priority: 'urgent' | 'high' | 'medium' | 'low';
  status: 'not-started' | 'in-progress' | 'completed' | 'on-hold' | 'cancelled';
  manager_id: string;
  progress: number;
  budget: string | null;
  health: HealthStatus | null;
  health_note: string | null;
  health_updated_at: Date | null;
  health_updated_by: string | null;
  start_date: Date | null;
  due_date: Date | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  version: number;
  member_ids: string[];
};

/** Listed explicitly: a prepared `select *` fails on running pods once a migration adds a column. */
const COLUMNS = [
  'id',
  'name',
  'description',
  'priority',
  'status',
  'manager_id',
  'progress',
  'budget',
  'health',
  'health_note',
  'health_updated_at',
  'health_updated_by',
  'start_date',
  'due_date',
  'created_by',
  'created_at',
  'updated_at',
  'version',
] as const satisfies readonly (keyof ProjectRow)[];

/** Columns of `projects p`, with the team in the order it was added. */
const PROJECT_COLUMNS = `${COLUMNS.map((column) => `p.${column}`).join(', ')}, array(
  select m.user_id from project_members m where m.project_id = p.id order by m.position
) as member_ids`;

export async function readProjects(db: Queryable, ids: string[]): Promise<ProjectRow[]> {
  const { rows } = await db.query<ProjectRow>({
    name: 'read-projects',
    text: `select ${PROJECT_COLUMNS}
           from unnest($1::text[]) with ordinality as page (id, position) join projects p on p.id = page.id
           order by page.position`,
    values: [ids],
  });
  return rows;
}

export type NewProject = Pick<
  ProjectRow,
  'id' | 'name' | 'description' | 'priority' | 'status' | 'manager_id' | 'created_by'
> & {
  budget: number | null;
  start_date: string | null;
  due_date: string | null;
  member_ids: string[];
};

export async function insertProject(tx: Queryable, project: NewProject): Promise<ProjectRow> {
  await tx.query(
    `insert into projects (id, name, description, priority, status, manager_id, budget, start_date, due_date, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      project.id,
      project.name,
      project.description,
      project.priority,
      project.status,
      project.manager_id,
      project.budget,
      project.start_date,
      project.due_date,
      project.created_by,
    ],
  );
  await tx.query(
    `insert into project_members (project_id, user_id, position)
     select $1, user_id, position from unnest($2::text[]) with ordinality as members (user_id, position)`,
    [project.id, project.member_ids],
  );
  const row = await findProject(tx, project.id);
  if (!row) throw new Error('Project not found after insert');
  return row;
}

export async function findProject(db: Queryable, id: string): Promise<ProjectRow | undefined> {
  const { rows } = await db.query<ProjectRow>({
    name: 'find-project',
    text: `select ${PROJECT_COLUMNS} from projects p where p.id = $1`,
    values: [id],
  });
  return rows[0];
}

export async function projectExists(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'project-exists',
    text: 'select from projects where id = $1',
    values: [id],
  });
  return rowCount === 1;
}

/**
 * Locks a project until the transaction ends. Reads it in a second statement, because the first would return the team
 * from before it waited.
 */
export async function lockProject(tx: Queryable, id: string): Promise<ProjectRow | undefined> {
  await tx.query('select 1 from projects where id = $1 for update', [id]);
  return findProject(tx, id);
}

/** Takes a shared lock, so that writers of related rows do not wait for each other. */
export async function lockProjectForShare(tx: Queryable, id: string): Promise<ProjectRow | undefined> {
  await tx.query('select 1 from projects where id = $1 for share', [id]);
  return findProject(tx, id);
}

export type ProjectChange = Partial<
  Pick<
    ProjectRow,
    | 'name'
    | 'description'
    | 'priority'
    | 'status'
    | 'progress'
    | 'manager_id'
    | 'health'
    | 'health_note'
    | 'health_updated_by'
  > & {
    health_updated_at: string;
    budget: number | null;
    start_date: string | null;
    due_date: string | null;
  }
>;

/**
 * Enforces two rules in one statement, even under concurrency: a completed project is final, and progress never
 * decreases. Returns undefined if a rule is violated.
 */
export async function changeProject(tx: Queryable, id: string, change: ProjectChange): Promise<ProjectRow | undefined> {
  const columns = Object.keys(change);
  const assignments = columns.map((column, index) => `${column} = $${index + 2}`);
  const { rowCount } = await tx.query(
    `update projects set ${[...assignments, 'updated_at = now()', 'version = version + 1'].join(', ')}
     where id = $1 and status <> 'completed' and progress <= coalesce($${columns.length + 2}::smallint, 100)`,
    [id, ...Object.values(change), change.progress ?? null],
  );
  return rowCount === 1 ? findProject(tx, id) : undefined;
}

export async function touchProject(tx: Queryable, id: string): Promise<ProjectRow> {
  await tx.query('update projects set updated_at = now(), version = version + 1 where id = $1', [id]);
  return readUpdatedProject(tx, id);
}

/** Sets the version of a project above every version published so far. */
export async function raiseVersion(tx: Queryable, id: string, version: number): Promise<ProjectRow> {
  await tx.query('update projects set version = $2 where id = $1', [id, version]);
  return readUpdatedProject(tx, id);
}

async function readUpdatedProject(tx: Queryable, id: string): Promise<ProjectRow> {
  const row = await findProject(tx, id);
  if (!row) throw new Error('Project not found after update');
  return row;
}

export async function insertMember(tx: Queryable, projectId: string, userId: string): Promise<void> {
  await tx.query(
    `insert into project_members (project_id, user_id, position)
     select $1, $2, coalesce(max(position), 0) + 1 from project_members where project_id = $1`,
    [projectId, userId],
  );
}

export async function removeMember(tx: Queryable, projectId: string, userId: string): Promise<void> {
  await tx.query('delete from project_members where project_id = $1 and user_id = $2', [projectId, userId]);
}

/** Returns sorted ids, so that concurrent transactions lock projects in the same order. */
export async function listUserProjectIds(tx: Queryable, userId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from projects where manager_id = $1
     union select project_id from project_members where user_id = $1
     union select project_id from tasks where assigned_to = $1 and status <> 'done'
     order by id`,
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** Returns the distinct assignees of the project's tasks. */
export async function listAssigneeIds(tx: Queryable, projectId: string): Promise<string[]> {
  const { rows } = await tx.query<{ assigned_to: string }>(
    'select distinct assigned_to from tasks where project_id = $1 and assigned_to is not null',
    [projectId],
  );
  return rows.map(({ assigned_to }) => assigned_to);
}

/** The creators of tasks that are assigned to others. */
export async function listDelegatorIds(tx: Queryable, projectId: string): Promise<string[]> {
  const { rows } = await tx.query<{ created_by: string }>(
    'select distinct created_by from tasks where project_id = $1 and assigned_to <> created_by',
    [projectId],
  );
  return rows.map(({ created_by }) => created_by);
}

export async function deleteProjectRow(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from projects where id = $1', [id]);
}
