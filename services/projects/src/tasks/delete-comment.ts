import { taskUpdated } from '@atrium/proto-events/events/projects';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { findComment, removeComment } from './comment-repository.ts';
import { canDeleteComment, DELETE_COMMENT_DENIED } from './policy.ts';
import { taskEventData } from './present-task.ts';
import { countComment, lockTask } from './task-repository.ts';

/** Increments the version of the task, so that clients refetch it. */
export async function deleteComment(
  { db }: Deps,
  caller: Caller,
  { id, commentId }: { id: string; commentId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const task = await lockTask(tx, id, caller.userId);
    if (!task) throw notFound('Task');
    const comment = await findComment(tx, id, commentId);
    if (!comment) throw notFound('Comment');
    if (!canDeleteComment(caller, comment)) throw new AppError('forbidden', DELETE_COMMENT_DENIED);
    await removeComment(tx, commentId);
    const after = await countComment(tx, id, -1, caller.userId);
    await appendEvent(tx, {
      event: taskUpdated,
      data: { ...taskEventData(after), progress: after.progress, changed: ['comments'] },
      aggregate: id,
      actorId: caller.userId,
    });
  });
}
