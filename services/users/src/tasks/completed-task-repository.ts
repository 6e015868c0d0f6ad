import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** `doneBy` is null while the task is open or unassigned. */
export type TaskCompletion = { taskId: string; projectId: string; version: number; doneBy: string | null };

type Credited = { done_by: string | null };

const listCreditedUsers = (rows: Credited[]) => [...new Set(rows.flatMap(({ done_by }) => done_by ?? []))];

/** Ignores older versions; returns the users whose count changes. */
export async function upsertCompletedTask(
  tx: Queryable,
  { taskId, projectId, version, doneBy }: TaskCompletion,
): Promise<string[]> {
  const before = await tx.query<Credited & { version: number; gone: boolean }>(
    'select done_by, version, gone from task_standings where task_id = $1 for update',
    [taskId],
  );
  const [known] = before.rows;
  if (!known) await tx.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [projectId]);
  if (known ? known.gone || known.version >= version : await isGone(tx, projectId)) return [];
  await tx.query(
    `insert into task_standings (task_id, project_id, version, done_by) values ($1, $2, $3, $4)
     on conflict (task_id) do update set version = excluded.version, done_by = excluded.done_by`,
    [taskId, projectId, version, doneBy],
  );
  return known?.done_by === doneBy ? [] : listCreditedUsers([...before.rows, { done_by: doneBy }]);
}

/** Permanent. Returns the users whose count changes. */
export async function markTaskDeleted(tx: Queryable, task: Omit<TaskCompletion, 'doneBy'>): Promise<string[]> {
  const { rows } = await tx.query<Credited>('select done_by from task_standings where task_id = $1 for update', [
    task.taskId,
  ]);
  await tx.query(
    `insert into task_standings (task_id, project_id, version, gone) values ($1, $2, $3, true)
     on conflict (task_id) do update set done_by = null, gone = true, gone_at = now()`,
    [task.taskId, task.projectId, task.version],
  );
  return listCreditedUsers(rows);
}

/** Also covers tasks reported later: the lock orders concurrent inserts before or after this transaction. */
export async function markProjectDeleted(tx: Queryable, projectId: string): Promise<string[]> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [projectId]);
  const { rows } = await tx.query<Credited>('select done_by from task_standings where project_id = $1 for update', [
    projectId,
  ]);
  await tx.query('insert into gone_projects (project_id) values ($1) on conflict do nothing', [projectId]);
  await tx.query('update task_standings set done_by = null, gone = true, gone_at = now() where project_id = $1', [
    projectId,
  ]);
  return listCreditedUsers(rows);
}

async function isGone(tx: Queryable, projectId: string): Promise<boolean> {
  const { rowCount } = await tx.query('select from gone_projects where project_id = $1', [projectId]);
  return rowCount === 1;
}

/** Recounts instead of incrementing, so that errors do not persist. Does not increment the version of the user. */
export async function recountTasks(tx: Queryable, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  // Serializes concurrent recounts of the same user, so that the later one sees the rows of the earlier.
  await tx.query('select from users where id = any($1) order by id for update', [userIds]);
  await tx.query(
    `update users u set tasks_completed = (select count(*) from task_standings t where t.done_by = u.id)
     where u.id = any($1)`,
    [userIds],
  );
}
