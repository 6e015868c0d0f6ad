import { createHash } from 'node:crypto';
import type { EventOf } from '@atrium/proto-events/event';
import { messageSent } from '@atrium/proto-events/events/chat';
import type { meetingClosed } from '@atrium/proto-events/events/meeting-closing';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { newId } from '@atrium/service-kit/process/new-id';

export type Closed = EventOf<typeof meetingClosed>['data'];

/** Sent as the user who closed the meeting; its client id makes it unique per closing. */
export function summaryMessage(closed: Closed, conversation: string) {
  const messageId = newId();
  const message = {
    conversation_id: conversation,
    message_id: messageId,
    sender_id: closed.closedBy,
    content: summaryText(closed),
    type: 'text',
    client_message_id: summaryMessageId(closed.closingId),
  };
  const event = outboxRow({
    event: messageSent,
    // The SQL statement sets the seq.
    data: { conversationId: conversation, messageId, seq: 0, senderId: closed.closedBy },
    aggregate: messageId,
    actorId: closed.closedBy,
  });
  return { message, event };
}

export const summaryMessageId = (closingId: string) => uuidOf(`summary:${closingId}`);

/** A UUID of version 8 (RFC 9562, custom) from the hash of a name. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Below the 10,000 characters of a message: the title has up to 200, the summary 3,000, and each of 30 decisions 200. */
export function summaryText({ title, startTime, timezone, summary, decisions }: Closed): string {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: timezone }).format(new Date(startTime));
  const list = decisions.map(({ text }) => `• ${text}`);
  return [
    `Summary of “${title}”, ${day}`,
    ...(summary === '' ? [] : ['', summary]),
    ...(list.length === 0 ? [] : ['', list.length === 1 ? 'Decision:' : 'Decisions:', ...list]),
  ].join('\n');
}
