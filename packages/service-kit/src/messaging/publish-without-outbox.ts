import { aggregateHeaders } from './aggregate-header.ts';
import { type Messaging, requireStream } from './messaging.ts';
import type { OutboxRow } from './outbox.ts';

/**
 * Publishes an event straight to JetStream, for who has no outbox; resolves once it is acknowledged. A repeat of the same id is the same
 * event: within minutes for JetStream, and for the inbox of whoever takes it.
 */
export async function publishWithoutOutbox(messaging: Messaging, producer: string, row: OutboxRow): Promise<void> {
  await requireStream(messaging, producer);
  await messaging.js.publish(messaging.subject(row.subject), row.payload, {
    msgID: row.messageId,
    headers: aggregateHeaders(row.aggregate),
  });
}
