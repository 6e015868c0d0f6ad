import { defineEvent, type EventDefinition } from '@atrium/proto-events/event';
import { aggregateHeaders, type Messaging, requireStream } from '@atrium/service-kit/messaging/messaging';
import { outboxRow, type PendingEvent } from '@atrium/service-kit/messaging/outbox';
import { z } from 'zod';

/** An event of a service that exists only in these tests. */
export const exampleEvent = defineEvent('notes.note.written', 1, z.object({ note: z.string(), n: z.int() }));

export const NOTES_MIGRATIONS = new URL('./migrations/', import.meta.url);

type PublishParams<D extends EventDefinition> = Pick<PendingEvent<D>, 'event' | 'data'> & {
  /** Null publishes without the header. */
  aggregate: string | null;
};

export async function publishEvent<D extends EventDefinition>(
  messaging: Messaging,
  { event, data, aggregate }: PublishParams<D>,
): Promise<void> {
  const row = outboxRow({ event, data, aggregate: aggregate ?? '', actorId: null });
  const [producer = ''] = row.subject.split('.');
  await requireStream(messaging, producer);
  await messaging.js.publish(messaging.subject(row.subject), row.payload, {
    msgID: row.messageId,
    ...(aggregate !== null && { headers: aggregateHeaders(aggregate) }),
  });
}
