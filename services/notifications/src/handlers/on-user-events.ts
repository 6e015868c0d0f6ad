import type { EventOf } from '@atrium/proto-events/event';
import {
  departmentCreated,
  departmentDeleted,
  departmentUpdated,
  sessionsEnded,
  userDeleted,
  userUpdated,
} from '@atrium/proto-events/events/users';
import { on } from '@atrium/service-kit/messaging/subscription';
import { createRecordedHandler, userSubject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import { removeEmailsTo } from '../email/remove-emails.ts';
import { rescheduleEmails } from '../email/reschedule-emails.ts';
import { notifyUsers } from '../notifications/notify-users.ts';
import { rescheduleDigests } from '../notifications/schedule-digests.ts';
import { removeSubscriptions, removeSubscriptionsBefore } from '../push/manage-subscriptions.ts';
import { typesWithPrefix } from '../store/records.ts';
import { findActorName, findUsers, formatFullName, listActiveAdmins, toRecipient } from '../users/find-users.ts';
import { withdrawFromFormerColleague } from './on-document-events.ts';

/**
 * Removes personal data of a deleted user: their notifications, emails, and subscribed browsers. Activity records stay,
 * with ids only.
 */
async function redactUser({ store }: Deps, { data }: EventOf<typeof userDeleted>): Promise<void> {
  const { userId } = data;
  const recordsAboutUser = {
    $or: [
      { subjectId: userId, resource: 'user' },
      { actorId: userId, type: typesWithPrefix('security') },
    ],
  };
  await store.activities.updateMany(recordsAboutUser, {
    $set: { title: '' },
    $unset: { 'details.email': 1, 'details.address': 1, 'details.device': 1 },
  });
  await store.notifications.deleteMany({ personId: userId });
  await removeSubscriptions(store, { userId });
  await removeEmailsTo(store, userId);
}

const SETTING_FIELDS = ['preferences', 'timezone'];

type Update = Pick<EventOf<typeof userUpdated>['data'], 'userId' | 'version' | 'changed'>;

/** The event can be ahead of the directory, so this waits briefly, then throws for redelivery. */
async function findUpdated({ directory }: Pick<Deps, 'directory'>, { userId, version }: Update) {
  await directory.whenUser(userId, (user) => (user?.version ?? 0) >= version, PROPAGATION_TIMEOUT_MS);
  const user = directory.user(userId);
  if (!user || user.version < version)
    throw new Error(`Version ${version} of user ${userId} is not in the directory yet`);
  return user;
}

/** Applies a pause that has ended or begun, or other times, to what is queued. */
export async function applySettings(
  deps: Pick<Deps, 'store' | 'directory'>,
  { data }: { data: Update },
): Promise<void> {
  if (!data.changed.some((field) => SETTING_FIELDS.includes(field))) return;
  const user = await findUpdated(deps, data);
  await rescheduleEmails(deps.store, user);
  await rescheduleDigests(deps.store, user);
}

async function applyUpdate(deps: Deps, { id, data }: EventOf<typeof userUpdated>): Promise<void> {
  await applySettings(deps, { data });
  if (data.changed.includes('department'))
    await withdrawFromFormerColleague(deps, { eventId: id, user: await findUpdated(deps, data) });
}

const PROPAGATION_TIMEOUT_MS = 2_000;

const departmentSubject = ({ departmentId, name }: { departmentId: string; name: string }) => ({
  resource: 'department',
  id: departmentId,
  title: name,
});

/** Counted from tasks, whose own events are recorded. */
const COUNTED_FIELDS = ['tasksCompleted'];

export const userHandlers = (deps: Deps) => [
  createRecordedHandler(deps, userUpdated, {
    toSubject: userSubject,
    toDetails: ({ role, status, changed }) => ({ role, status, changed }),
    isRecorded: ({ changed }) => !changed.every((field) => COUNTED_FIELDS.includes(field)),
    sideEffect: applyUpdate,
  }),
  createRecordedHandler(deps, userDeleted, { toSubject: userSubject, sideEffect: redactUser }),
  createRecordedHandler(deps, sessionsEnded, {
    toSubject: userSubject,
    toDetails: ({ reason }) => ({ reason }),
    sideEffect: removeSubscriptionsBefore,
  }),
  createRecordedHandler(deps, departmentCreated, { toSubject: departmentSubject }),
  createRecordedHandler(deps, departmentUpdated, {
    toSubject: departmentSubject,
    toDetails: ({ changed }) => ({ changed }),
  }),
  createRecordedHandler(deps, departmentDeleted, { toSubject: departmentSubject }),
];

const GRANTING_FIELDS = ['role', 'status'];

/** Includes the administrator who made the change: their account may have been taken over. */
async function notifyOfAdministrator(deps: Deps, event: EventOf<typeof userUpdated>) {
  const { userId, role, status, changed } = event.data;
  if (role !== 'admin' || status !== 'active' || !GRANTING_FIELDS.some((field) => changed.includes(field))) return;
  const [newAdmin] = await findUsers(deps.directory, [userId]);
  if (!newAdmin) return;
  const others = listActiveAdmins(deps.directory).filter(({ _id }) => _id !== userId);
  await notifyUsers(deps, {
    // Omits the actor, whose account may have been taken over.
    event: { ...event, actorId: null },
    kind: 'users.administrator.added',
    notice: { kind: 'security', reason: 'administrator' },
    email: 'own',
    subject: { resource: 'user', id: userId, title: 'the workspace' },
    userIds: others.map(({ _id }) => _id),
    details: { aboutUserId: userId },
  });
  await deps.queueEmails({
    event,
    kind: 'security',
    subjectId: userId,
    content: {
      template: 'admin-granted',
      administrator: { name: formatFullName(newAdmin), email: newAdmin.email },
      // Users who accept an invitation are their own actor, but did not grant the role.
      actor: event.actorId === userId ? null : findActorName(deps.directory, event.actorId),
      at: event.occurredAt,
    },
    recipients: others.map(toRecipient),
  });
}

export const administratorHandlers = (deps: Deps) => [
  on(userUpdated, (event) => deps.store.run(() => notifyOfAdministrator(deps, event))),
];
