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
import { aboutUser, recordedReaction } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import { typesOf } from '../store/records.ts';
import { actorName, findUsers, fullName, listActiveAdmins, toRecipient } from '../users.ts';

const OWN_KINDS = ['invitation', 'reset', 'security'];

/**
 * Removes personal data of a deleted user: titles, email addresses, IP addresses, and the content of emails sent to them alone. Activity
 * records stay, with ids only.
 */
async function redactUser({ store }: Deps, { data }: EventOf<typeof userDeleted>): Promise<void> {
  const { userId } = data;
  const isAbout = {
    $or: [
      { subjectId: userId, resource: 'user' },
      { actorId: userId, type: typesOf('security') },
    ],
  };
  await store.activities.updateMany(isAbout, {
    $set: { title: '' },
    $unset: { 'details.email': 1, 'details.address': 1, 'details.device': 1 },
  });
  const own = await store.emails.find({ recipientId: userId, kind: { $in: OWN_KINDS } }, { mailingId: 1 }).lean();
  const failed = { state: 'failed', settledAt: new Date(), lastError: 'recipient was deleted' } as const;
  await store.emails.updateMany({ recipientId: userId, state: 'queued' }, { $set: failed });
  await store.emails.updateMany({ recipientId: userId }, { $set: { name: '', firstName: '', address: '' } });
  await store.mailings.deleteMany({ _id: { $in: own.map(({ mailingId }) => mailingId) } });
}

const aboutDepartment = ({ departmentId, name }: { departmentId: string; name: string }) => ({
  resource: 'department',
  id: departmentId,
  title: name,
});

export const userReactions = (deps: Deps) => [
  recordedReaction(deps, userUpdated, {
    about: aboutUser,
    details: ({ role, status, changed }) => ({ role, status, changed }),
  }),
  recordedReaction(deps, userDeleted, { about: aboutUser, effect: redactUser }),
  recordedReaction(deps, sessionsEnded, { about: aboutUser, details: ({ reason }) => ({ reason }) }),
  recordedReaction(deps, departmentCreated, { about: aboutDepartment }),
  recordedReaction(deps, departmentUpdated, { about: aboutDepartment, details: ({ changed }) => ({ changed }) }),
  recordedReaction(deps, departmentDeleted, { about: aboutDepartment }),
];

const GRANTING_FIELDS = ['role', 'status'];

/** Includes the administrator who made the change: their account may have been taken over. */
async function sendAdminGranted(deps: Deps, event: EventOf<typeof userUpdated>) {
  const { userId, role, status, changed } = event.data;
  if (role !== 'admin' || status !== 'active' || !GRANTING_FIELDS.some((field) => changed.includes(field))) return;
  const [newAdmin] = await findUsers(deps.directory, [userId]);
  if (!newAdmin) return;
  const others = listActiveAdmins(deps.directory).filter(({ _id }) => _id !== userId);
  await deps.queueEmails({
    event,
    kind: 'security',
    about: userId,
    content: {
      template: 'admin-granted',
      administrator: { name: fullName(newAdmin), email: newAdmin.email },
      // Users who accept an invitation are their own actor, but did not grant the role.
      actor: event.actorId === userId ? null : actorName(deps.directory, event.actorId),
      at: event.occurredAt,
    },
    recipients: others.map(toRecipient),
  });
}

export const administratorReactions = (deps: Deps) => [
  on(userUpdated, (event) => deps.store.reach(() => sendAdminGranted(deps, event))),
];
