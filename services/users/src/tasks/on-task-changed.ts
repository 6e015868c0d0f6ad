import type { EventOf } from '@atrium/proto-events/event';
import type { projectDeleted, taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { markProjectDeleted, markTaskDeleted, recountTasks, upsertCompletedTask } from './completed-task-repository.ts';

export async function recordTask(
  event: EventOf<typeof taskCreated | typeof taskUpdated>,
  tx: Queryable,
): Promise<void> {
  const { taskId, projectId, version, status, assignedTo } = event.data;
  const doneBy = status === 'done' ? assignedTo : null;
  await recountTasks(tx, await upsertCompletedTask(tx, { taskId, projectId, version, doneBy }));
}

/** Later events of a deleted task are ignored. */
export async function deleteTask({ data }: EventOf<typeof taskDeleted>, tx: Queryable): Promise<void> {
  await recountTasks(tx, await markTaskDeleted(tx, data));
}

/** Deleting a project publishes no events for its tasks. */
export async function deleteProjectTasks({ data }: EventOf<typeof projectDeleted>, tx: Queryable): Promise<void> {
  await recountTasks(tx, await markProjectDeleted(tx, data.projectId));
}
