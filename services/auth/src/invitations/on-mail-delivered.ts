import type { EventOf } from '@atrium/proto-events/event';
import { invitationDelivered } from '@atrium/proto-events/events/auth';
import type { mailDelivered } from '@atrium/proto-events/events/notifications';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { settleDelivery } from './invitation-repository.ts';

/** Notes whether an invitation's latest mail has left; the outcome of one before it says nothing of the one on its way. */
export async function noteDelivery({ data }: EventOf<typeof mailDelivered>, tx: Queryable): Promise<void> {
  if (data.kind !== 'invitation') return;
  const { about: invitationId, outcome, cause } = data;
  const userId = await settleDelivery(tx, { id: invitationId, outcome, cause });
  if (userId === undefined) return;
  await appendEvent(tx, {
    event: invitationDelivered,
    data: { invitationId, userId, outcome },
    aggregate: userId,
    actorId: null,
  });
}
