import { taskUpdated } from '@atrium/proto-events/events/projects';
import { appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { taskEventData } from './present-task.ts';
import { type UnassignedRow, unassignOpenTasks } from './task-repository.ts';

type Unassignment = { projectId: string; userId: string; actorId: string | null };

/** Publishes an event per task; done tasks keep their assignee. */
export async function unassignTasks(
  tx: Queryable,
  { projectId, userId, actorId }: Unassignment,
): Promise<UnassignedRow[]> {
  const rows = await unassignOpenTasks(tx, projectId, userId);
  // One statement, because there may be thousands.
  await appendEvents(
    tx,
    rows.map((row) => ({
      event: taskUpdated,
      data: { ...taskEventData(row), progress: row.progress, changed: ['assignedTo'] },
      aggregate: row.id,
      actorId,
    })),
  );
  return rows;
}
