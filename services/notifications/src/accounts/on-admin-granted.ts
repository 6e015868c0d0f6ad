import type { EventOf } from '@atrium/proto-events/event';
import { userUpdated } from '@atrium/proto-events/events/users';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Deps } from '../deps.ts';
import { actorName, findUsers, fullName, toRecipient } from '../users.ts';

/** Changes that can turn a user into an active administrator. */
const GRANTING_FIELDS = ['role', 'status'];

/** Includes the administrator who made the change: their account may have been taken over. */
async function sendAdminGranted(deps: Deps, { id, requestId, ...event }: EventOf<typeof userUpdated>) {
  const { userId, role, status, changed } = event.data;
  if (role !== 'admin' || status !== 'active' || !GRANTING_FIELDS.some((field) => changed.includes(field))) return;
  const [newAdmin] = await findUsers(deps.directory, [userId]);
  if (!newAdmin) return;
  const others = [...deps.directory.users()].filter(
    (user) => user.role === 'admin' && isActive(user) && user._id !== userId,
  );
  await deps.queueEmails({
    id,
    requestId,
    occurredAt: event.occurredAt,
    kind: 'security',
    about: userId,
    content: {
      template: 'administrator-made',
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
