import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** A task with what its project says of the caller. */
export type TaskRow = {
  id: string;
  project_id: string;
  title: string;
  description: string;
  status: 'todo' | 'in-progress' | 'review' | 'done';
  priority: 'urgent' | 'high' | 'medium' | 'low';
  assigned_to: string | null;
  due_date: Date | null;
  progress: number;
  comment_count: number;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  version: number;
  manager_id: string;
  /** Whether the caller is in the project's team. */
  in_team: boolean;
};

/** By name, each: a statement prepared with `*` fails on every pod of before once a migration adds a column. */
const COLUMNS = [
  'id',
  'project_id',
  'title',
  'description',
  'status',
  'priority',
  'assigned_to',
  'due_date',
  'progress',
  'comment_count',
  'created_by',
  'created_at',
  'updated_at',
  'version',
] as const satisfies readonly (keyof TaskRow)[];

/** Columns of a row of `tasks t join projects p`, for a caller. */
const taskColumns = (caller: string) => `${COLUMNS.map((column) => `t.${column}`).join(', ')}, p.manager_id, exists (
  select from project_members m where m.project_id = t.project_id and m.user_id = ${caller}
) as in_team`;

const FIND = `select ${taskColumns('$2')} from tasks t join projects p on p.id = t.project_id where t.id = $1`;

export type NewTask = Pick<
  TaskRow,
  'id' | 'project_id' | 'title' | 'description' | 'status' | 'priority' | 'assigned_to' | 'created_by'
> & {
  due_date: string | null;
};

export async function insertTask(tx: Queryable, task: NewTask): Promise<TaskRow> {
  await tx.query(
    `insert into tasks (id, project_id, title, description, status, priority, assigned_to, due_date, progress, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, case when $5 = 'done' then 100 else 0 end, $9)`,
    [
      task.id,
      task.project_id,
      task.title,
      task.description,
      task.status,
      task.priority,
      task.assigned_to,
      task.due_date,
      task.created_by,
    ],
  );
  return reread(tx, task.id, task.created_by);
}

export async function findTask(db: Queryable, id: string, callerId: string): Promise<TaskRow | undefined> {
  const { rows } = await db.query<TaskRow>({ name: 'find-task', text: FIND, values: [id, callerId] });
  return rows[0];
}

/** Tasks by their ids, in the given order. */
export async function readTasks(db: Queryable, ids: string[], callerId: string): Promise<TaskRow[]> {
  const { rows } = await db.query<TaskRow>({
    name: 'read-tasks',
    text: `select ${taskColumns('$2')}
           from unnest($1::text[]) with ordinality as page (id, place)
           join tasks t on t.id = page.id join projects p on p.id = t.project_id
           order by page.place`,
    values: [ids, callerId],
  });
  return rows;
}

/** The task locked and its project held, in this order as everywhere, until the transaction ends. */
export async function lockTask(tx: Queryable, id: string, callerId: string): Promise<TaskRow | undefined> {
  await tx.query('select 1 from projects where id = (select project_id from tasks where id = $1) for share', [id]);
  const { rows } = await tx.query<TaskRow>(`${FIND} for update of t`, [id, callerId]);
  return rows[0];
}

export type TaskChange = Partial<
  Pick<TaskRow, 'title' | 'description' | 'status' | 'priority' | 'assigned_to' | 'progress' | 'comment_count'> & {
    due_date: string | null;
  }
>;

/** Writes the given columns of a locked task and the next version. */
export async function changeTask(tx: Queryable, task: TaskRow, change: TaskChange, callerId: string): Promise<TaskRow> {
  const sets = Object.keys(change).map((column, index) => `${column} = $${index + 2}`);
  await tx.query(
    `update tasks set ${[...sets, 'updated_at = now()', 'version = version + 1'].join(', ')} where id = $1`,
    [task.id, ...Object.values(change)],
  );
  return reread(tx, task.id, callerId);
}

async function reread(tx: Queryable, id: string, callerId: string): Promise<TaskRow> {
  const row = await findTask(tx, id, callerId);
  if (!row) throw new Error('the task just written is not there');
  return row;
}

export async function removeTask(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from tasks where id = $1', [id]);
}

export type UnassignedRow = Pick<
  TaskRow,
  'id' | 'project_id' | 'title' | 'status' | 'assigned_to' | 'progress' | 'version'
>;

/** Takes a person off the tasks of a project that are not done. */
export async function unassignOpenTasks(tx: Queryable, projectId: string, userId: string): Promise<UnassignedRow[]> {
  const { rows } = await tx.query<UnassignedRow>(
    `update tasks set assigned_to = null, updated_at = now(), version = version + 1
     where project_id = $1 and assigned_to = $2 and status <> 'done'
     returning id, project_id, title, status, assigned_to, progress, version`,
    [projectId, userId],
  );
  return rows;
}
