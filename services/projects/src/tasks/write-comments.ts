import {
  MAX_EVENT_COMMENTERS,
  MAX_EXCERPT_LENGTH,
  taskCommented,
  taskUpdated,
} from '@atrium/proto-events/events/projects';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import {
  type CommentRow,
  deleteCommentRow,
  findComment,
  insertComment,
  listCommenterIds,
} from './comment-repository.ts';
import { canDeleteComment, DELETE_COMMENT_DENIED, getDenialReasons } from './policy.ts';
import { presentComment, toTaskChangeData } from './present-task.ts';
import { changeCommentCount, lockTask } from './task-repository.ts';

/** A mention, as `<@id>`; interfaces show the name. */
const MENTION = /<@([0-9a-f]{24})>/g;

/**
 * Returns at most `max` ids and ignores unknown ones. Needs no permission check, because every user can see every task.
 */
function findMentionedIds(directory: Directory, text: string, max: number): string[] {
  const ids = new Set([...text.matchAll(MENTION)].map(([, id = '']) => id));
  return [...ids].filter((id) => directory.user(id)).slice(0, max);
}

const replaceMentions = (directory: Directory, text: string): string =>
  text.replace(MENTION, (token, id: string) => {
    const user = directory.user(id);
    return user ? `@${`${user.firstName} ${user.lastName}`.trim() || user.email}` : token;
  });

type NewComment = { taskId: string; comment: string };

export const addComment = (
  { db, directory }: Deps,
  caller: Caller,
  { key, ...newComment }: NewComment & { key: IdempotencyKey | undefined },
) =>
  withIdempotencyKey(db, { caller, key }, async (tx) => {
    const row = await writeComment(tx, directory, caller, newComment);
    return presentComment(directory, caller, row);
  });

/**
 * Increments the version of the task, whose list item shows the number of comments. Throws before the first write if
 * the caller cannot comment.
 */
export async function writeComment(
  tx: Queryable,
  directory: Directory,
  caller: Caller,
  { taskId, comment }: NewComment,
): Promise<CommentRow> {
  const task = await lockTask(tx, taskId, caller.userId);
  if (!task) throw notFound('Task');
  const reason = getDenialReasons(caller, task).comment;
  if (reason !== undefined) throw new AppError('forbidden', reason);
  const commenterIds = await listCommenterIds(tx, taskId, MAX_EVENT_COMMENTERS);
  const row = await insertComment(tx, { id: newId(), task_id: taskId, author_id: caller.userId, comment });
  const updatedTask = await changeCommentCount(tx, taskId, 1, caller.userId);
  await appendEvent(tx, {
    event: taskCommented,
    data: {
      ...toTaskChangeData(directory, updatedTask),
      commentId: row.id,
      createdBy: updatedTask.created_by,
      commenterIds,
      mentionedIds: findMentionedIds(directory, comment, MAX_EVENT_COMMENTERS),
      excerpt: toExcerpt(replaceMentions(directory, comment)),
    },
    aggregate: taskId,
    actorId: caller.userId,
  });
  return row;
}

/** Cuts between code points, not code units. */
function toExcerpt(comment: string): string {
  if (comment.length <= MAX_EXCERPT_LENGTH) return comment;
  const excerpt = comment.slice(0, MAX_EXCERPT_LENGTH - 1);
  return `${excerpt.isWellFormed() ? excerpt : excerpt.slice(0, -1)}…`;
}

/** Increments the version of the task, whose list item shows the number of comments. */
export async function deleteComment(
  { db, directory }: Deps,
  caller: Caller,
  { id, commentId }: { id: string; commentId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const task = await lockTask(tx, id, caller.userId);
    if (!task) throw notFound('Task');
    const comment = await findComment(tx, id, commentId);
    if (!comment) throw notFound('Comment');
    if (!canDeleteComment(caller, comment)) throw new AppError('forbidden', DELETE_COMMENT_DENIED);
    await deleteCommentRow(tx, commentId);
    const updatedTask = await changeCommentCount(tx, id, -1, caller.userId);
    await appendEvent(tx, {
      event: taskUpdated,
      data: {
        ...toTaskChangeData(directory, updatedTask),
        progress: updatedTask.progress,
        changed: ['comments'],
        deletedCommentId: commentId,
      },
      aggregate: id,
      actorId: caller.userId,
    });
  });
}
