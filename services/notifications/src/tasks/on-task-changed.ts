import type { EventOf } from '@atrium/proto-events/event';
import { taskCommented, taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import { on } from '@atrium/service-kit/messaging/subscription';
import { recordedReaction } from '../activity/recorded-reaction.ts';
import type { Deps } from '../deps.ts';
import { withdrawNotifications } from '../notifications/withdraw-notifications.ts';
import { isDeleted } from '../projects/current-members.ts';
import type { Store } from '../store/store.ts';
import { ASSIGNED, CHANGED, COMMENTED, notifyAboutTask } from './notify-about-task.ts';

type Created = EventOf<typeof taskCreated>;
type Updated = EventOf<typeof taskUpdated>;
type Commented = EventOf<typeof taskCommented>;

/** Changes that the assignee is notified of. */
const NOTIFIED_FIELDS = ['startDate', 'dueDate', 'status'];

async function notifyAssignee(deps: Deps, event: Created | Updated): Promise<void> {
  const { assignedTo, status, dueDate = null } = event.data;
  if (assignedTo === null || (await isDeletedWithProject(deps.store, event.data))) return;
  const content = { reason: 'assigned' as const, status, dueDate };
  await notifyAboutTask(deps, { event, kind: ASSIGNED, task: event.data, userIds: [assignedTo], content });
}

async function notifyOfChange(deps: Deps, event: Updated): Promise<void> {
  const { taskId, assignedTo, status, dueDate = null, changed } = event.data;
  if (changed.includes('assignedTo')) {
    await withdrawNotifications(deps, {
      eventId: event.id,
      about: taskId,
      where: { subjectId: taskId, kind: { $in: [ASSIGNED, CHANGED] }, personId: { $ne: assignedTo }, read: false },
    });
    return notifyAssignee(deps, event);
  }
  const fields = NOTIFIED_FIELDS.filter((field) => changed.includes(field));
  if (fields.length === 0 || assignedTo === null || (await isDeletedWithProject(deps.store, event.data))) return;
  const content = { reason: 'changed' as const, status, dueDate, changed: fields };
  const notification = { event, kind: CHANGED, task: event.data, changed: fields, content };
  await notifyAboutTask(deps, { ...notification, userIds: [assignedTo] });
}

async function notifyOfComment(deps: Deps, event: Commented): Promise<void> {
  const { assignedTo, createdBy, commenterIds = [], mentionedIds = [], status, excerpt } = event.data;
  if (await isDeletedWithProject(deps.store, event.data)) return;
  const userIds = [assignedTo, createdBy, ...commenterIds, ...mentionedIds].filter((id) => typeof id === 'string');
  const content = { reason: 'commented' as const, status, dueDate: null, ...(excerpt !== undefined && { excerpt }) };
  await notifyAboutTask(deps, { event, kind: COMMENTED, task: event.data, userIds, content });
}

/** Replayed dead letters may arrive after the deletion. */
async function isDeletedWithProject(
  store: Store,
  { taskId, projectId }: { taskId: string; projectId: string },
): Promise<boolean> {
  return (await isDeleted(store, projectId)) || (await isTaskDeleted(store, taskId));
}

export async function isTaskDeleted({ activities }: Store, taskId: string): Promise<boolean> {
  return (await activities.exists({ subjectId: taskId, type: taskDeleted.type })) !== null;
}

const aboutTask = ({ taskId, title }: { taskId: string; title: string }) => ({ resource: 'task', id: taskId, title });

export const taskReactions = (deps: Deps) => [
  recordedReaction(deps, taskCreated, { about: aboutTask, effect: notifyAssignee }),
  on(taskUpdated, (event) => deps.store.reach(() => notifyOfChange(deps, event))),
  on(taskCommented, (event) => deps.store.reach(() => notifyOfComment(deps, event))),
  recordedReaction(deps, taskDeleted, {
    about: aboutTask,
    effect: (_, { id, data: { taskId } }) =>
      withdrawNotifications(deps, { eventId: id, about: taskId, where: { resource: 'task', subjectId: taskId } }),
  }),
];
