import type { EventOf } from '@atrium/proto-events/event';
import { invitationDelivered, invitationRevoked } from '@atrium/proto-events/events/auth';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { sessionsEnded, userDeleted } from '@atrium/proto-events/events/users';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { deleteAccount } from './accounts/account-repository.ts';
import { deleteUserInvitations, recordDeliveryOutcome } from './invitations/invitation-repository.ts';
import { endSessions } from './sessions/end-sessions.ts';

export const subscriptions = [
  subscription({
    name: 'ended-sessions',
    from: 'all',
    reactions: [on(sessionsEnded, removeEndedSessions), on(userDeleted, removeAccount)],
  }),
  subscription({ name: 'deliveries', from: 'all', reactions: [on(emailDelivered, recordDelivery)] }),
];

/**
 * Publishes each session separately, because a token refreshed just before this event arrives is younger than
 * `validAfter`, but its session is not.
 */
async function removeEndedSessions(event: EventOf<typeof sessionsEnded>, tx: Queryable): Promise<void> {
  const { userId, validAfter, reason } = event.data;
  await endSessions(tx, { userId, reason, actorId: event.actorId, before: validAfter });
}

async function removeAccount(event: EventOf<typeof userDeleted>, tx: Queryable): Promise<void> {
  const { actorId, data } = event;
  const { userId } = data;
  // Deletes invitations before the account, because accepting one locks in the same order.
  for (const invitationId of await deleteUserInvitations(tx, userId)) {
    const revokedData = { invitationId, userId };
    await appendEvent(tx, { event: invitationRevoked, data: revokedData, aggregate: userId, actorId });
  }
  await endSessions(tx, { userId, reason: 'deleted', actorId });
  await deleteAccount(tx, userId);
}

async function recordDelivery({ data }: EventOf<typeof emailDelivered>, tx: Queryable): Promise<void> {
  if (data.kind !== 'invitation') return;
  const { about: invitationId, outcome, cause: mailEventId } = data;
  const userId = await recordDeliveryOutcome(tx, { id: invitationId, outcome, mailEventId });
  if (userId === undefined) return;
  await appendEvent(tx, {
    event: invitationDelivered,
    data: { invitationId, userId, outcome },
    aggregate: userId,
    actorId: null,
  });
}
