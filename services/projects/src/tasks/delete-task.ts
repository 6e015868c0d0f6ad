import { taskDeleted } from '@atrium/proto-events/events/projects';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { getDenialReasons } from './policy.ts';
import { taskEventData } from './present-task.ts';
import { lockTask, removeTask } from './task-repository.ts';

export async function deleteTask({ db }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const task = await lockTask(tx, id, caller.userId);
    if (!task) throw notFound('Task');
    const reason = getDenialReasons(caller, task).delete;
    if (reason !== undefined) throw new AppError('forbidden', reason);
    await removeTask(tx, id);
    await appendEvent(tx, { event: taskDeleted, data: taskEventData(task), aggregate: id, actorId: caller.userId });
  });
}
