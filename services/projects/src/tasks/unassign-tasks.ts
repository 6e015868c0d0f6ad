import { taskUpdated } from '@atrium/proto-events/events/projects';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { taskFacts } from './present-task.ts';
import { unassignOpenTasks } from './task-repository.ts';

/** Open tasks of somebody who leaves a project are nobody's, each with its event; what is done stays theirs. */
export async function unassignTasks(
  tx: Queryable,
  caller: Caller,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<void> {
  const rows = await unassignOpenTasks(tx, projectId, userId);
  // In one statement, because there may be thousands.
  await appendEvents(
    tx,
    rows.map((row) => ({
      event: taskUpdated,
      data: { ...taskFacts(row), progress: row.progress, changed: ['assignedTo'] },
      aggregate: row.id,
      actorId: caller.userId,
    })),
  );
}
