import type { EventOf } from '@atrium/proto-events/event';
import { userUpdated } from '@atrium/proto-events/events/users';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Deps } from '../deps.ts';
import { actorName, findPeople, fullName, toRecipient } from '../people.ts';

/** Whoever has the role from now on, is let back in with it, or has accepted an invitation to it. */
const MAKES = ['role', 'status'];

/** Tells every other administrator, also the one who did it: it may not have been them at their desk. */
async function mailAdministrators(deps: Deps, { id, requestId, ...event }: EventOf<typeof userUpdated>) {
  const { userId, role, status, changed } = event.data;
  if (role !== 'admin' || status !== 'active' || !MAKES.some((field) => changed.includes(field))) return;
  const [made] = await findPeople(deps.directory, [userId]);
  if (!made) return;
  const others = [...deps.directory.users()].filter(
    (user) => user.role === 'admin' && isActive(user) && user._id !== userId,
  );
  await deps.queueMails({
    id,
    requestId,
    occurredAt: event.occurredAt,
    kind: 'security',
    about: userId,
    content: {
      template: 'administrator-made',
      administrator: { name: fullName(made), email: made.email },
      // Who accepted an invitation made nobody an administrator: that was whoever invited them.
      actor: event.actorId === userId ? null : actorName(deps.directory, event.actorId),
      at: event.occurredAt,
    },
    recipients: others.map(toRecipient),
  });
}

export const administratorReactions = (deps: Deps) => [
  on(userUpdated, (event) => deps.store.reach(() => mailAdministrators(deps, event))),
];
