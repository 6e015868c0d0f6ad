import type { EventOf } from '@atrium/proto-events/event';
import type { projectDeleted, taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { appendTasksCompleted } from './append-user-events.ts';
import { findUsers } from './user-repository.ts';

export async function recordTask(
  event: EventOf<typeof taskCreated | typeof taskUpdated>,
  tx: Queryable,
): Promise<void> {
  const { taskId, projectId, version, status, assignedTo } = event.data;
  const completedBy = status === 'done' ? assignedTo : null;
  await recountTasks(tx, await upsertCompletedTask(tx, { taskId, projectId, version, completedBy }), event);
}

/** Later events of a deleted task are ignored. */
export async function deleteTask(event: EventOf<typeof taskDeleted>, tx: Queryable): Promise<void> {
  await recountTasks(tx, await markTaskDeleted(tx, event.data), event);
}

/** Deleting a project publishes no events for its tasks. */
export async function deleteProjectTasks(event: EventOf<typeof projectDeleted>, tx: Queryable): Promise<void> {
  await recountTasks(tx, await markProjectDeleted(tx, event.data.projectId), event);
}

/** `completedBy` is null while the task is open or unassigned. */
type TaskCompletion = { taskId: string; projectId: string; version: number; completedBy: string | null };

type CreditRow = { completed_by: string | null };

const listCreditedUsers = (rows: CreditRow[]) => [...new Set(rows.flatMap(({ completed_by }) => completed_by ?? []))];

/** Ignores older versions; returns the users whose count changes. */
async function upsertCompletedTask(
  tx: Queryable,
  { taskId, projectId, version, completedBy }: TaskCompletion,
): Promise<string[]> {
  const { rows } = await tx.query<CreditRow & { version: number; deleted: boolean }>(
    'select completed_by, version, deleted from task_completions where task_id = $1 for update',
    [taskId],
  );
  const [existingRow] = rows;
  if (!existingRow) await tx.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [projectId]);
  if (existingRow ? existingRow.deleted || existingRow.version >= version : await isProjectDeleted(tx, projectId))
    return [];
  await tx.query(
    `insert into task_completions (task_id, project_id, version, completed_by) values ($1, $2, $3, $4)
     on conflict (task_id) do update set version = excluded.version, completed_by = excluded.completed_by`,
    [taskId, projectId, version, completedBy],
  );
  return existingRow?.completed_by === completedBy ? [] : listCreditedUsers([...rows, { completed_by: completedBy }]);
}

/** Marks the task as deleted permanently. Returns the users whose count changes. */
async function markTaskDeleted(tx: Queryable, task: Omit<TaskCompletion, 'completedBy'>): Promise<string[]> {
  const { rows } = await tx.query<CreditRow>(
    'select completed_by from task_completions where task_id = $1 for update',
    [task.taskId],
  );
  await tx.query(
    `insert into task_completions (task_id, project_id, version, deleted) values ($1, $2, $3, true)
     on conflict (task_id) do update set completed_by = null, deleted = true, deleted_at = now()`,
    [task.taskId, task.projectId, task.version],
  );
  return listCreditedUsers(rows);
}

/** Covers tasks reported later as well: the lock orders concurrent inserts before or after this transaction. */
async function markProjectDeleted(tx: Queryable, projectId: string): Promise<string[]> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [projectId]);
  const { rows } = await tx.query<CreditRow>(
    'select completed_by from task_completions where project_id = $1 for update',
    [projectId],
  );
  await tx.query('insert into deleted_projects (project_id) values ($1) on conflict do nothing', [projectId]);
  await tx.query(
    'update task_completions set completed_by = null, deleted = true, deleted_at = now() where project_id = $1',
    [projectId],
  );
  return listCreditedUsers(rows);
}

async function isProjectDeleted(tx: Queryable, projectId: string): Promise<boolean> {
  const { rowCount } = await tx.query('select from deleted_projects where project_id = $1', [projectId]);
  return rowCount === 1;
}

/** Recounts instead of incrementing, so that errors do not persist. Does not increment the version of the user. */
async function recountTasks(tx: Queryable, userIds: string[], { actorId }: { actorId: string | null }): Promise<void> {
  if (userIds.length === 0) return;
  // Serializes concurrent recounts of the same user, so that the later one sees the rows of the earlier.
  await tx.query('select from users where id = any($1) order by id for update', [userIds]);
  const { rows } = await tx.query<{ id: string }>(
    `update users u set tasks_completed = counted.tasks
     from (select c.id, (select count(*) from task_completions t where t.completed_by = c.id) as tasks
           from unnest($1::text[]) as c (id)) as counted
     where u.id = counted.id and u.tasks_completed <> counted.tasks and u.deleted_at is null
     returning u.id`,
    [userIds],
  );
  const changedIds = rows.map(({ id }) => id);
  if (changedIds.length > 0) await appendTasksCompleted(tx, await findUsers(tx, changedIds), { actorId });
}
