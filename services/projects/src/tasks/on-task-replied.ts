import type { EventOf } from '@atrium/proto-events/event';
import type { taskReplied } from '@atrium/proto-events/events/notifications';
import { commentRejected } from '@atrium/proto-events/events/projects';
import { addComment } from '@atrium/proto-events/http/tasks';
import { actForUser, requireValid } from '@atrium/service-kit/directory/act-for-user';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { writeComment } from './write-comments.ts';

type Replied = EventOf<typeof taskReplied>;

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

const tryComment = (tx: Queryable, directory: Directory, { taskId, userId, text }: Replied['data']) =>
  actForUser({ directory, userId, notFound: DELETED }, async (caller) => {
    const body = requireValid(addComment.body.safeParse({ comment: text }));
    await writeComment(tx, directory, caller, { taskId, ...body });
  });
