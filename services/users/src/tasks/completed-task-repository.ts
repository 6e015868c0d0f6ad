import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** What counts of a task. `doneBy` is null while it is open or nobody's. */
export type Standing = { taskId: string; projectId: string; version: number; doneBy: string | null };

type Touched = { done_by: string | null };

const people = (rows: Touched[]) => [...new Set(rows.flatMap(({ done_by }) => done_by ?? []))];

/** Keeps the newer of what is there and what is given; answers whose count changes by it. */
export async function upsertCompletedTask(
  tx: Queryable,
  { taskId, projectId, version, doneBy }: Standing,
): Promise<string[]> {
  const before = await tx.query<Touched & { version: number; gone: boolean }>(
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
  return known?.done_by === doneBy ? [] : people([...before.rows, { done_by: doneBy }]);
}

/** Marks a task as gone, for good; answers whose count changes by it. */
export async function dropTask(tx: Queryable, task: Omit<Standing, 'doneBy'>): Promise<string[]> {
  const { rows } = await tx.query<Touched>('select done_by from task_standings where task_id = $1 for update', [
    task.taskId,
  ]);
  await tx.query(
    `insert into task_standings (task_id, project_id, version, gone) values ($1, $2, $3, true)
     on conflict (task_id) do update set done_by = null, gone = true, gone_at = now()`,
    [task.taskId, task.projectId, task.version],
  );
  return people(rows);
}

/**
 * The same for every task of a project, also for those that are heard of only later: one that is heard of now waits until this is
 * committed, or is committed before.
 */
export async function dropProject(tx: Queryable, projectId: string): Promise<string[]> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [projectId]);
  const { rows } = await tx.query<Touched>('select done_by from task_standings where project_id = $1 for update', [
    projectId,
  ]);
  await tx.query('insert into gone_projects (project_id) values ($1) on conflict do nothing', [projectId]);
  await tx.query('update task_standings set done_by = null, gone = true, gone_at = now() where project_id = $1', [
    projectId,
  ]);
  return people(rows);
}

async function isGone(tx: Queryable, projectId: string): Promise<boolean> {
  const { rowCount } = await tx.query('select from gone_projects where project_id = $1', [projectId]);
  return rowCount === 1;
}

/** Counts anew instead of adding, so that no fault of the past stays. It is no change that anybody else must know of. */
export async function recountTasks(tx: Queryable, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  // Other tasks of theirs are counted at the same time: whoever comes second must see what the first has written.
  await tx.query('select from users where id = any($1) order by id for update', [userIds]);
  await tx.query(
    `update users u set tasks_completed = (select count(*) from task_standings t where t.done_by = u.id)
     where u.id = any($1)`,
    [userIds],
  );
}
