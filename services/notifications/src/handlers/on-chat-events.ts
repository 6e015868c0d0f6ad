import type { EventOf } from '@atrium/proto-events/event';
import { reminderDue } from '@atrium/proto-events/events/chat';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Deps } from '../deps.ts';
import { notifyUsers } from '../notifications/notify-users.ts';

/** The text of the message stays in chat. */
async function remind(deps: Deps, event: EventOf<typeof reminderDue>): Promise<void> {
  const { userId, conversationId, messageId, seq, rootId } = event.data;
  await notifyUsers(deps, {
    event,
    kind: event.type,
    notice: { kind: 'message_reminder', reason: 'own_request' },
    subject: { resource: 'message', id: messageId, title: '' },
    userIds: [userId],
    details: { place: { conversation: conversationId, seq, ...(rootId !== undefined && { thread: rootId }) } },
  });
}

export const chatHandlers = (deps: Deps) => [on(reminderDue, (event) => deps.store.run(() => remind(deps, event)))];
