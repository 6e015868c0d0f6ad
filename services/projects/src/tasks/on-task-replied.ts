import type { EventOf } from '@atrium/proto-events/event';
import type { taskReplied } from '@atrium/proto-events/events/notifications';
import { commentRejected } from '@atrium/proto-events/events/projects';
import { addComment } from '@atrium/proto-events/http/tasks';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { writeComment } from './write-comments.ts';

type Replied = EventOf<typeof taskReplied>;

const DEACTIVATED = 'Your account was deactivated';
const DELETED = 'The task was deleted';

/** Adds a reply by email as a comment of its user, with their present permissions, or publishes why it was rejected. */
export const commentByEmail =
  (directory: Directory) =>
  async ({ data }: Replied, tx: Queryable): Promise<void> => {
    const reason = await tryComment(tx, directory, data);
    if (reason === undefined) return;
    const { taskId, userId } = data;
    await appendEvent(tx, {
      event: commentRejected,
      data: { taskId, userId, reason },
      aggregate: taskId,
      actorId: userId,
    });
  };

/** Returns the error message of an equivalent API call; undefined if the comment was added. */
async function tryComment(tx: Queryable, directory: Directory, data: Replied['data']): Promise<string | undefined> {
  const { taskId, userId, text } = data;
  const user = directory.user(userId);
  if (!user || !isActive(user)) return DEACTIVATED;
  const body = addComment.body.safeParse({ comment: text });
  if (!body.success) return body.error.issues[0]?.message ?? 'The text is invalid';
  try {
    await writeComment(tx, directory, { userId, role: user.role, sessionId: '' }, { taskId, ...body.data });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return error.code === 'not_found' ? DELETED : error.message;
  }
}
