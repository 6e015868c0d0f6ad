import type { EventOf } from '@atrium/proto-events/event';
import type { messageRejected } from '@atrium/proto-events/events/chat';
import type { commentRejected } from '@atrium/proto-events/events/projects';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { findGroupedItem } from '../digests/digest-mailings.ts';
import { notificationPath } from '../digests/notification-path.ts';
import type { NotificationRecord } from '../store/records.ts';
import { findUsers, toRecipient } from '../users/find-users.ts';

type ProblemDeps = Pick<Deps, 'store' | 'directory' | 'queueEmails'>;

export type ReplyProblem = {
  /** Of the event or reply, from which the id of the email derives. */
  id: string;
  requestId?: string;
  occurredAt?: string;
  userId: string;
  /** Of the task, conversation, or message that the user replied to. */
  itemId: string;
  isPosted: boolean;
  reason: string;
};

/**
 * Emails users that their reply was not posted, or only in part. The email goes to their own address: the sender may be
 * anyone. Repeated problems with one item are emailed with growing delays.
 */
export async function emailReplyProblem(deps: ProblemDeps, problem: ReplyProblem): Promise<void> {
  const { id, userId, itemId, isPosted, reason } = problem;
  const [user] = await findUsers(deps.directory, [userId]);
  if (!user) return;
  const record = await findNotification(deps, userId, itemId);
  await deps.queueEmails({
    event: {
      id: deterministicId(`${id}:problem`),
      requestId: problem.requestId ?? id,
      occurredAt: problem.occurredAt ?? new Date().toISOString(),
    },
    kind: 'reply',
    subjectId: itemId,
    topic: { id: `reply:${itemId}`, part: deterministicId(reason) },
    content: {
      template: 'reply-problem',
      isPosted,
      reason,
      title: record?.title || null,
      path: record ? notificationPath(record) : '/',
      about: record ? findGroupedItem(record) : null,
    },
    recipients: [toRecipient(user)],
  });
}

/** Of the item that the user replied to, unless it has been withdrawn since. */
const findNotification = (
  { store }: ProblemDeps,
  personId: string,
  itemId: string,
): Promise<NotificationRecord | null> =>
  store.notifications
    .findOne({ personId, $or: [{ subjectId: itemId }, { messageId: itemId }] })
    .sort({ createdAt: -1 })
    .lean();

type Rejected = EventOf<typeof commentRejected> | EventOf<typeof messageRejected>;

export const emailRejection =
  (deps: Deps) =>
  ({ id, requestId, occurredAt, data }: Rejected): Promise<void> =>
    deps.store.run(() =>
      emailReplyProblem(deps, {
        id,
        requestId,
        occurredAt,
        userId: data.userId,
        itemId: 'taskId' in data ? data.taskId : data.placeId,
        isPosted: false,
        reason: data.reason,
      }),
    );
