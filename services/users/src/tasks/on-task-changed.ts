import type { EventOf } from '@atrium/proto-events/event';
import type { projectDeleted, taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { dropProject, dropTask, recountTasks, upsertCompletedTask } from './completed-task-repository.ts';

/** Keeps how many tasks somebody has done, by what a task is now; an older version of it changes nothing. */
export async function followTask(
  event: EventOf<typeof taskCreated | typeof taskUpdated>,
  tx: Queryable,
): Promise<void> {
  const { taskId, projectId, version, status, assignedTo } = event.data;
  const doneBy = status === 'done' ? assignedTo : null;
  await recountTasks(tx, await upsertCompletedTask(tx, { taskId, projectId, version, doneBy }));
}

/** A task that is gone is nobody's, whatever is still told of it. */
export async function forgetTask({ data }: EventOf<typeof taskDeleted>, tx: Queryable): Promise<void> {
  await recountTasks(tx, await dropTask(tx, data));
}

/** The tasks of a project go with it, without a word of their own. */
export async function forgetTasksOfProject({ data }: EventOf<typeof projectDeleted>, tx: Queryable): Promise<void> {
  await recountTasks(tx, await dropProject(tx, data.projectId));
}
