import type { Membership } from '@atrium/proto-events/abilities/projects';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { SELECT_FIELDS, type TaskFields, toColumns } from './task-fields.ts';

/** What is the same for every caller. Times are formatted as in the API. */
export type SharedTaskRow = TaskFields & {
  id: string;
  project_id: string;
  comment_count: number;
  completed_at: string | null;
  origin_message: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  version: number;
};

export type TaskRow = SharedTaskRow & {
  /** The caller's place in the project. */
  membership: Membership;
};

/** Listed explicitly: a prepared `select *` fails on running pods once a migration adds a column. */
const COLUMNS = `t.id, t.project_id, ${SELECT_FIELDS}, t.comment_count, t.completed_at, t.origin_message, t.created_by, t.created_at, t.updated_at, t.version`;

const selectTaskColumns = (caller: string) => `${COLUMNS}, case
  when p.manager_id = ${caller} then 'manager'
  when exists (select from project_members m where m.project_id = t.project_id and m.user_id = ${caller}) then 'member'
end as membership`;

const NEXT_VERSION = ['updated_at = now()', 'version = version + 1'];

const SELECT_TASK = `select ${selectTaskColumns('$2')} from tasks t join projects p on p.id = t.project_id where t.id = $1`;

type NewTask = { id: string; projectId: string; createdBy: string; originMessage: string | null; fields: TaskFields };

export async function insertTask(
  tx: Queryable,
  { id, projectId, createdBy, originMessage, fields }: NewTask,
): Promise<TaskRow> {
  const { columns, values } = toColumns(fields);
  const allColumns = ['id', 'project_id', 'created_by', 'origin_message', ...columns];
  await tx.query(
    `insert into tasks (${allColumns.join(', ')}) values (${allColumns.map((_, index) => `$${index + 1}`).join(', ')})`,
    [id, projectId, createdBy, originMessage, ...values],
  );
  return readWrittenTask(tx, id, createdBy);
}

export async function findTask(db: Queryable, id: string, callerId: string): Promise<TaskRow | undefined> {
  const { rows } = await db.query<TaskRow>({ name: 'find-task', text: SELECT_TASK, values: [id, callerId] });
  return rows.map(formatTimes)[0];
}

export async function readTasks(db: Queryable, ids: string[], callerId: string): Promise<TaskRow[]> {
  const { rows } = await db.query<TaskRow>({
    name: 'read-tasks',
    text: `select ${selectTaskColumns('$2')}
           from unnest($1::text[]) with ordinality as page (id, position)
           join tasks t on t.id = page.id join projects p on p.id = t.project_id
           order by page.position`,
    values: [ids, callerId],
  });
  return rows.map(formatTimes);
}

/** Formats the times of a row, which the driver returns as `Date`. */
function formatTimes<Row extends SharedTaskRow>(row: Row): Row {
  const entries = Object.entries<unknown>(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(entries) as Row;
}

/** Locks the task and shares a lock on its project, always in this order, until the transaction ends. */
export async function lockTask(tx: Queryable, id: string, callerId: string): Promise<TaskRow | undefined> {
  await tx.query('select 1 from projects where id = (select project_id from tasks where id = $1) for share', [id]);
  const { rows } = await tx.query<TaskRow>(`${SELECT_TASK} for update of t`, [id, callerId]);
  return rows.map(formatTimes)[0];
}

export async function changeTask(
  tx: Queryable,
  before: Pick<TaskRow, 'id' | 'status'>,
  change: Partial<TaskFields>,
  callerId: string,
): Promise<TaskRow> {
  const { id } = before;
  const { columns, values } = toColumns(change);
  const assignments = [
    ...columns.map((column, index) => `${column} = $${index + 2}`),
    ...(isRemindedAgain(before, change) ? [RESET_REMINDER] : []),
    ...NEXT_VERSION,
  ];
  await tx.query(`update tasks set ${assignments.join(', ')} where id = $1`, [id, ...values]);
  return readWrittenTask(tx, id, callerId);
}

const RESET_REMINDER = 'reminded_due = null';

/** Another assignee knows of no reminder, and that of a task that was done or moved has been withdrawn. */
const isRemindedAgain = ({ status }: Pick<TaskRow, 'status'>, change: Partial<TaskFields>): boolean =>
  change.assignedTo !== undefined || change.dueDate !== undefined || (change.status !== undefined && status === 'done');

export async function changeCommentCount(tx: Queryable, id: string, delta: 1 | -1, callerId: string): Promise<TaskRow> {
  const assignments = ['comment_count = comment_count + $2', ...NEXT_VERSION];
  await tx.query(`update tasks set ${assignments.join(', ')} where id = $1`, [id, delta]);
  return readWrittenTask(tx, id, callerId);
}

async function readWrittenTask(tx: Queryable, id: string, callerId: string): Promise<TaskRow> {
  const row = await findTask(tx, id, callerId);
  if (!row) throw new Error('Task not found after write');
  return row;
}

/** The dates (YYYY-MM-DD) of the tasks that a user is reminded of. */
export type Reminder = { userId: string; from: string; to: string };

type DueTaskRow = SharedTaskRow & { assignedTo: string; dueDate: string };

/**
 * Claims open tasks for the transaction whose assignees have not been reminded of the due date. Skips tasks that another
 * pod or a change has locked.
 */
export async function claimDueTasks(
  tx: Queryable,
  reminders: readonly Reminder[],
  limit: number,
): Promise<DueTaskRow[]> {
  const { rows } = await tx.query<DueTaskRow>({
    name: 'claim-due-tasks',
    text: `with due as (
        select t.id from unnest($1::text[], $2::date[], $3::date[]) as reminder (user_id, first, last)
        join tasks t on t.assigned_to = reminder.user_id
          and t.due_date >= first::timestamp at time zone 'UTC' and t.due_date < (last + 1)::timestamp at time zone 'UTC'
        where (t.status <> 'done') is true and t.reminded_due is distinct from t.due_date
        limit $4 for update of t skip locked
      )
      update tasks t set reminded_due = t.due_date from due where t.id = due.id returning ${COLUMNS}`,
    values: [
      reminders.map(({ userId }) => userId),
      reminders.map(({ from }) => from),
      reminders.map(({ to }) => to),
      limit,
    ],
  });
  return rows.map(formatTimes);
}

export async function deleteTaskRow(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from tasks where id = $1', [id]);
}

export async function unassignOpenTasks(tx: Queryable, projectId: string, userId: string): Promise<SharedTaskRow[]> {
  const { rows } = await tx.query<SharedTaskRow>(
    `update tasks t set ${['assigned_to = null', RESET_REMINDER, ...NEXT_VERSION].join(', ')}
     where project_id = $1 and assigned_to = $2 and status <> 'done' returning ${COLUMNS}`,
    [projectId, userId],
  );
  return rows.map(formatTimes);
}
