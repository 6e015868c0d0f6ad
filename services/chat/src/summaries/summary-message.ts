import { createHash } from 'node:crypto';
import type { EventOf } from '@atrium/proto-events/event';
import { messageSent } from '@atrium/proto-events/events/chat';
import type { meetingClosed } from '@atrium/proto-events/events/meeting-closing';
import { SYSTEM_SENDER } from '@atrium/proto-events/http/chat-messages';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { newId } from '@atrium/service-kit/process/new-id';

export type Closed = EventOf<typeof meetingClosed>['data'];

/** The one message that says what came of a meeting: by this id of its own it is sent once. */
export function summaryMessage(closed: Closed, conversation: string) {
  const messageId = newId();
  const message = {
    conversation_id: conversation,
    message_id: messageId,
    sender_id: SYSTEM_SENDER._id,
    content: summaryText(closed),
    type: 'system',
    client_message_id: uuidOf(`summary:${closed.meetingId}`),
  };
  const event = outboxRow({
    event: messageSent,
    // The statement puts the seq in.
    data: { conversationId: conversation, messageId, seq: 0, senderId: SYSTEM_SENDER._id },
    aggregate: messageId,
    actorId: null,
  });
  return { message, event };
}

/** The layout of a UUID (version 8: made by whoever uses it), out of a name. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Of at most 10,000 characters, as every message: a title has 200, a summary 3,000, and each of 30 decisions 200. */
export function summaryText({ title, startTime, timezone, summary, decisions }: Closed): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: timezone }).format(new Date(startTime));
  const list = decisions.map(({ text }) => `• ${text}`);
  return [
    `Summary of “${title}”, ${day}`,
    ...(summary === '' ? [] : ['', summary]),
    ...(list.length === 0 ? [] : ['', list.length === 1 ? 'Decision:' : 'Decisions:', ...list]),
  ].join('\n');
}
