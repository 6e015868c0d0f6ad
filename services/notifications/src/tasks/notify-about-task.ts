import type { DirectoryUser } from '@atrium/proto-events/people';
import { preferencesOf } from '@atrium/proto-events/preferences';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import type { TaskContent } from '../email/email-content.ts';
import { recordNotifications } from '../notifications/record-notifications.ts';
import { actorName, findUsers, toRecipient } from '../users.ts';

export const ASSIGNED = 'projects.task.assigned';
export const CHANGED = 'projects.task.changed';
export const COMMENTED = 'projects.task.commented';

type Task = { taskId: string; projectId: string; title: string };

type TaskNotification = {
  event: { id: string; actorId: string | null; occurredAt: string; requestId: string };
  kind: string;
  task: Task;
  userIds: Iterable<string>;
  changed?: string[];
  content: Pick<TaskContent, 'reason' | 'status' | 'dueDate'> & Partial<Pick<TaskContent, 'changed' | 'excerpt'>>;
};

/**
 * Notifies users about a task, in the app and by email, except the user who caused the event. Events merged into an unread notification
 * send no email. Idempotent.
 */
export async function notifyAboutTask(deps: Deps, notification: TaskNotification): Promise<void> {
  const { event, task, kind, changed } = notification;
  const others = new Set([...notification.userIds].filter((id) => id !== event.actorId));
  const users = await findUsers(deps.directory, others);
  const personIds = users.map(({ _id }) => _id);
  if (personIds.length === 0) return;
  const notifiedIds = new Set(
    await recordNotifications(deps.store, {
      event,
      personIds,
      facts: {
        ...{ kind, actorId: event.actorId, resource: 'task', subjectId: task.taskId, title: task.title },
        ...{ projectId: task.projectId, ...(changed && { changed }) },
      },
    }),
  );
  const emailed = users.filter((user) => notifiedIds.has(user._id) && preferencesOf(user).taskEmails);
  await queueEmails(deps, notification, emailed);
  // Also on redelivery: an earlier attempt may have failed here.
  const id = deterministicId([event.id, kind, task.taskId, ...personIds].join());
  await deps.notificationPublisher.publish({ id, personIds, about: task.taskId });
}

async function queueEmails(
  deps: Deps,
  { event, kind, task, content }: TaskNotification,
  users: DirectoryUser[],
): Promise<void> {
  const project = await deps.store.projectPeople.findById(task.projectId).lean();
  await deps.queueEmails({
    id: `${event.id}:${content.reason}`,
    kind: 'task',
    about: task.taskId,
    requestId: event.requestId,
    occurredAt: event.occurredAt,
    topic: { id: `task:${task.taskId}:${content.reason}` },
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
