import type { EventOf } from '@atrium/proto-events/event';
import { invitationDelivered } from '@atrium/proto-events/events/auth';
import type { emailDelivered } from '@atrium/proto-events/events/notifications';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { recordDeliveryOutcome } from './invitation-repository.ts';

export async function recordDelivery({ data }: EventOf<typeof emailDelivered>, tx: Queryable): Promise<void> {
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
