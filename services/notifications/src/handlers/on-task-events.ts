import type { EventOf } from '@atrium/proto-events/event';
import { taskCommented, taskCreated, taskDeleted, taskDue, taskUpdated } from '@atrium/proto-events/events/projects';
import { on } from '@atrium/service-kit/messaging/subscription';
import { isProjectDeleted, isTaskDeleted } from '../activity/known-state.ts';
import { createRecordedHandler } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import { canComment } from '../email/reply-target.ts';
import type { ContentOf } from '../email/templates/email-content.ts';
import { type NoticeOf, toEmailRecipients } from '../notifications/notices.ts';
import { notifyUsers, withdrawNotifications } from '../notifications/notify-users.ts';
import { findVisits } from '../notifications/visits.ts';
import { isDeleted, recordWithdrawal } from '../notifications/withdrawals.ts';
import type { Store } from '../store/store.ts';
import { findActorName, findUsers } from '../users/find-users.ts';

const ASSIGNED = 'projects.task.assigned';
const CHANGED = 'projects.task.changed';
const COMMENTED = 'projects.task.commented';

type Created = EventOf<typeof taskCreated>;
type Updated = EventOf<typeof taskUpdated>;
type Commented = EventOf<typeof taskCommented>;

const NOTIFIED_FIELDS = ['startDate', 'dueDate', 'status'];

async function notifyAssignee(deps: Deps, event: Created | Updated): Promise<void> {
  const { assignedTo, status, dueDate = null } = event.data;
  if (assignedTo === null) return;
  const content = { reason: 'assigned' as const, status, dueDate };
  const notice = { kind: 'task_assigned', reason: 'assignee', levelId: event.data.projectId } as const;
  await notifyAboutTask(deps, { event, kind: ASSIGNED, notice, task: event.data, userIds: [assignedTo], content });
}

/** Until the due day is over everywhere, because the event may be a replayed dead letter. */
const DUE_MS = 36 * 60 * 60_000;

async function remind(deps: Deps, event: EventOf<typeof taskDue>): Promise<void> {
  const { assignedTo, dueDate, projectId } = event.data;
  const isOver = Date.now() >= Date.parse(dueDate) + DUE_MS;
  if (isOver) return;
  const users = await findUsers(deps.directory, [assignedTo]);
  await notifyUsers(deps, {
    event,
    kind: taskDue.type,
    notice: { kind: 'task_due', reason: 'assignee', levelId: projectId },
    subject: taskSubject(event.data),
    userIds: users.map(({ _id }) => _id),
    details: { projectId, dueDate: new Date(dueDate) },
    filterConcerned: (ids) => excludeDeleted(deps.store, event.data, ids),
  });
}

/** A task that is done or due on another day is no longer due soon, and one of another assignee no longer for this one. */
async function withdrawReminder(deps: Deps, { id, data }: Updated): Promise<void> {
  const { taskId, status, changed } = data;
  const isDone = changed.includes('status') && status === 'done';
  if (!isDone && !changed.includes('dueDate') && !changed.includes('assignedTo')) return;
  const filter = { subjectId: taskId, kind: taskDue.type, read: false };
  await withdrawNotifications(deps, { eventId: id, subjectId: taskId, filter });
}

/** Of a notification that is about other comments as well, only the email still says something without the text. */
async function withdrawComment(deps: Deps, event: Updated): Promise<void> {
  const { id, data } = event;
  const { taskId, deletedCommentId: commentId } = data;
  if (commentId === undefined) return;
  await recordWithdrawal(deps.store, { event, subjectId: commentId });
  const filter = { subjectId: taskId, commentId, eventKeys: { $size: 1 } };
  await withdrawNotifications(deps, { eventId: id, subjectId: taskId, filter });
  const queued = await deps.store.emails
    .find({ about: taskId, kind: 'task', state: 'queued' }, { mailingId: 1 })
    .lean();
  const mailingIds = [...new Set(queued.map(({ mailingId }) => mailingId))];
  for (const _id of mailingIds)
    await deps.store.mailings.updateOne({ _id, 'content.commentId': commentId }, { $unset: { 'content.excerpt': 1 } });
}

async function notifyOfChange(deps: Deps, event: Updated): Promise<void> {
  const { taskId, assignedTo, status, dueDate = null, changed } = event.data;
  await withdrawReminder(deps, event);
  await withdrawComment(deps, event);
  if (changed.includes('assignedTo')) {
    await withdrawNotifications(deps, {
      eventId: event.id,
      subjectId: taskId,
      filter: { subjectId: taskId, kind: { $in: [ASSIGNED, CHANGED] }, personId: { $ne: assignedTo }, read: false },
    });
    return notifyAssignee(deps, event);
  }
  const fields = NOTIFIED_FIELDS.filter((field) => changed.includes(field));
  if (fields.length === 0 || assignedTo === null) return;
  const content = { reason: 'changed' as const, status, dueDate, changed: fields };
  const notice = { kind: 'task_changed', reason: 'assignee', levelId: event.data.projectId } as const;
  await notifyAboutTask(deps, { event, kind: CHANGED, notice, task: event.data, userIds: [assignedTo], content });
}

async function notifyOfComment(deps: Deps, event: Commented): Promise<void> {
  const { assignedTo, createdBy, commenterIds = [], mentionedIds = [], status, excerpt, commentId } = event.data;
  const userIds = [assignedTo, createdBy, ...commenterIds, ...mentionedIds].filter((id) => typeof id === 'string');
  const content = {
    reason: 'commented' as const,
    status,
    dueDate: null,
    commentId,
    ...(excerpt !== undefined && { excerpt }),
  };
  const notice: NoticeOf = (userId) => {
    const levelId = event.data.projectId;
    if (mentionedIds.includes(userId)) return { kind: 'mention', reason: 'mentioned', levelId };
    return { kind: 'task_comment', reason: userId === assignedTo ? 'assignee' : 'involved', levelId };
  };
  await notifyAboutTask(deps, { event, kind: COMMENTED, notice, task: event.data, userIds, content });
}

/** Replayed dead letters may arrive after the deletion, and its project may be deleted at the same time. */
async function excludeDeleted(
  store: Store,
  { taskId, projectId, commentId }: { taskId: string; projectId: string; commentId?: string | undefined },
  userIds: readonly string[],
): Promise<readonly string[]> {
  if (await isProjectDeleted(store, projectId)) return [];
  if (await isTaskDeleted(store, taskId)) return [];
  return commentId !== undefined && (await isDeleted(store, commentId)) ? [] : userIds;
}

const taskSubject = ({ taskId, title }: { taskId: string; title: string }) => ({ resource: 'task', id: taskId, title });

type TaskNotification = {
  event: { id: string; actorId: string | null; occurredAt: string; requestId: string };
  kind: string;
  notice: NoticeOf;
  task: { taskId: string; projectId: string; title: string };
  userIds: Iterable<string>;
  content: Pick<ContentOf<'task'>, 'reason' | 'status' | 'dueDate' | 'changed' | 'excerpt' | 'commentId'>;
};

/**
 * Notifies users, except the one who caused the event. Events merged into an unread notification send no email, unless
 * its earlier one was withheld. Idempotent.
 */
async function notifyAboutTask(
  deps: Deps,
  { event, kind, notice, task, userIds, content }: TaskNotification,
): Promise<void> {
  const { taskId: id, projectId, title } = task;
  const { reason, changed, commentId } = content;
  const otherIds = [...userIds].filter((userId) => userId !== event.actorId);
  const users = await findUsers(deps.directory, otherIds);
  const notifiedIds = await notifyUsers(deps, {
    event,
    kind,
    notice,
    email: 'own',
    subject: taskSubject(task),
    userIds: users.map(({ _id }) => _id),
    details: { projectId, ...(changed && { changed }), ...(commentId !== undefined && { commentId }) },
    filterConcerned: (ids) => excludeDeleted(deps.store, { ...task, commentId }, ids),
  });
  const project = await deps.store.projectMembers.findById(projectId).lean();
  const commenterIds = new Set(users.filter((user) => canComment(user, project)).map(({ _id }) => _id));
  await deps.queueEmails({
    event,
    group: reason,
    kind: 'task',
    subjectId: id,
    topic: { id: `task:${id}:${reason}` },
    content: {
      template: 'task',
      ...content,
      actor: findActorName(deps.directory, event.actorId),
      task: { id, projectId, title },
      project: project?.name ?? null,
      notificationKind: kind,
    },
    recipients: toEmailRecipients(
      users.filter(({ _id }) => notifiedIds.includes(_id)),
      notice,
      await findVisits(deps.store, notifiedIds),
    ).map((recipient) => ({
      ...recipient,
      ...(commenterIds.has(recipient.id) && { replyTarget: { kind: 'task' as const, id } }),
    })),
  });
}

export const taskHandlers = (deps: Deps) => [
  createRecordedHandler(deps, taskCreated, { toSubject: taskSubject, sideEffect: notifyAssignee }),
  on(taskUpdated, (event) => deps.store.run(() => notifyOfChange(deps, event))),
  on(taskDue, (event) => deps.store.run(() => remind(deps, event))),
  on(taskCommented, (event) => deps.store.run(() => notifyOfComment(deps, event))),
  createRecordedHandler(deps, taskDeleted, {
    toSubject: taskSubject,
    sideEffect: (_, { id, data: { taskId } }) =>
      withdrawNotifications(deps, { eventId: id, subjectId: taskId, filter: { resource: 'task', subjectId: taskId } }),
  }),
];
