import type { EventOf } from '@atrium/proto-events/event';
import type { taskCreated, taskDeleted } from '@atrium/proto-events/events/projects';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { lockMessage } from '../model/messages/message-locks.ts';
import { findMessage, type MessageRow, NO_VIEWER } from '../model/messages/message-repository.ts';
import { addTask, removeTask } from '../model/messages/message-task-repository.ts';
import { appendChanges } from './change-message.ts';
import { broadcastChanges } from './present-stored-message.ts';

/** Shows the task on the message that it was created from, if its creator can read that message. */
export const linkTask =
  (deps: Deps) =>
  ({ data: { taskId, task }, actorId }: EventOf<typeof taskCreated>): Promise<void> =>
    changeTasks(deps, { messageId: task?.origin?.message, actorId }, async (tx, message, isParticipant) =>
      isParticipant ? addTask(tx, { message, taskId }) : [],
    );

/** The tasks of a deleted project remain listed, and are not found. */
export const unlinkTask =
  (deps: Deps) =>
  ({ data: { taskId, task }, actorId }: EventOf<typeof taskDeleted>): Promise<void> =>
    changeTasks(deps, { messageId: task?.origin?.message, actorId }, (tx, message) =>
      removeTask(tx, { message, taskId }),
    );

type Origin = { messageId: string | undefined; actorId: string | null };
type Change = (tx: Queryable, message: MessageRow, isParticipant: boolean) => Promise<MessageRow[]>;

async function changeTasks(deps: Deps, { messageId, actorId }: Origin, change: Change): Promise<void> {
  if (messageId === undefined) return;
  const changes = await deps.db.transaction(async (tx) => {
    const found = await findMessage(tx, messageId, actorId ?? NO_VIEWER);
    const message = found && (await lockMessage(tx, found));
    if (!found || !message) return [];
    return appendChanges(tx, await change(tx, message, found.is_participant), 'tasks', actorId);
  });
  await broadcastChanges(deps, changes);
}
