import type { EventOf } from '@atrium/proto-events/event';
import { invitationRevoked } from '@atrium/proto-events/events/auth';
import type { userDeleted } from '@atrium/proto-events/events/users';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { deleteAccount } from '../accounts/account-repository.ts';
import { deleteUserInvitations } from '../invitations/invitation-repository.ts';
import { endSessions } from '../sessions/end-sessions.ts';

export async function removeAccount(event: EventOf<typeof userDeleted>, tx: Queryable): Promise<void> {
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
