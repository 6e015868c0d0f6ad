import { aggregateHeaders } from './aggregate-header.ts';
import { type Messaging, requireStream } from './messaging.ts';
import type { OutboxRow } from './outbox.ts';

/**
 * Publishes an event directly to JetStream, without an outbox; resolves once it is acknowledged. Repeating an id is
 * deduplicated by JetStream within minutes, and by the consumers' inboxes.
 */
export async function publishWithoutOutbox(messaging: Messaging, producer: string, row: OutboxRow): Promise<void> {
  await requireStream(messaging, producer);
  await messaging.js.publish(messaging.subject(row.subject), row.payload, {
    msgID: row.messageId,
    headers: aggregateHeaders(row.aggregate),
  });
}
