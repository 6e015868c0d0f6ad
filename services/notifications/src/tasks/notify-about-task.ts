import type { DirectoryUser } from '@atrium/proto-events/people';
import { preferencesOf } from '@atrium/proto-events/preferences';
import { repeatableId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import type { TaskContent } from '../mail/mail-content.ts';
import { notificationId } from '../notifications/notify-people.ts';
import { actorName, findPeople, toRecipient } from '../people.ts';
import { insertOnce } from '../store/insert-once.ts';

export const ASSIGNED = 'projects.task.assigned';
export const CHANGED = 'projects.task.changed';
export const COMMENTED = 'projects.task.commented';

type Task = { taskId: string; projectId: string; title: string };

type TaskNotification = {
  event: { id: string; actorId: string | null; occurredAt: string; requestId: string };
  kind: string;
  task: Task;
  userIds: Iterable<string>;
  /** Which fields of the task were changed. */
  changed?: string[];
  /** What the email says beside who did it to which task. */
  content: Pick<TaskContent, 'reason' | 'status' | 'dueDate'> & Partial<Pick<TaskContent, 'changed' | 'excerpt'>>;
};

/** Events of one kind about one task that happen within this time of the first are one unread notification and one email. */
const BURST_MS = 10 * 60_000;

/** Notifies users about a task, in the app and by email, but never of what they did themselves. Repeating it changes nothing. */
export async function notifyAboutTask(deps: Deps, notification: TaskNotification): Promise<void> {
  const { event, task } = notification;
  const others = new Set([...notification.userIds].filter((id) => id !== event.actorId));
  const users = await findPeople(deps.directory, others);
  const emailed: DirectoryUser[] = [];
  for (const user of users) {
    const isNew = await record(deps, notification, user._id);
    if (isNew && preferencesOf(user).taskEmails) emailed.push(user);
  }
  const personIds = users.map(({ _id }) => _id);
  if (personIds.length === 0) return;
  await queueEmails(deps, notification, emailed);
  // Also by a repeat: the one before may have ended here.
  const id = repeatableId([event.id, notification.kind, task.taskId, ...personIds].join());
  await deps.listNews.tell({ id, personIds, about: task.taskId });
}

/** Returns whether it is a notification of its own, rather than part of an unread one. */
async function record({ store }: Deps, { event, kind, task, changed }: TaskNotification, personId: string) {
  const about = { personId, kind, subjectId: task.taskId };
  const _id = notificationId({ eventId: event.id, ...about });
  const known = await store.notifications.findOne({ ...about, eventIds: event.id }).lean();
  if (known) return known._id === _id;
  const at = new Date(event.occurredAt);
  const startedAt = { $gte: new Date(at.getTime() - BURST_MS) };
  const { modifiedCount } = await store.notifications.updateOne(
    { ...about, read: false, startedAt },
    {
      $set: { actorId: event.actorId, title: task.title },
      $max: { createdAt: at },
      $addToSet: { eventIds: event.id, ...(changed && { changed: { $each: changed } }) },
    },
  );
  if (modifiedCount > 0) return false;
  await insertOnce(store.notifications, [
    {
      ...{ _id, ...about, resource: 'task', title: task.title, projectId: task.projectId, actorId: event.actorId },
      ...{ read: false, readAt: null, createdAt: at, startedAt: at, eventIds: [event.id] },
      ...(changed && { changed }),
    },
  ]);
  return true;
}

async function queueEmails(
  deps: Deps,
  { event, kind, task, content }: TaskNotification,
  users: DirectoryUser[],
): Promise<void> {
  const project = await deps.store.projectPeople.findById(task.projectId).lean();
  await deps.queueMails({
    id: `${event.id}:${content.reason}`,
    kind: 'task',
    about: task.taskId,
    requestId: event.requestId,
    occurredAt: event.occurredAt,
    content: {
      template: 'task',
      ...content,
      actor: actorName(deps.directory, event.actorId),
      task: { id: task.taskId, projectId: task.projectId, title: task.title },
      project: project?.name ?? null,
      notificationKind: kind,
    },
    recipients: users.map(toRecipient),
  });
}
