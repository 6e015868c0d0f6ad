import type { EventOf } from '@atrium/proto-events/event';
import { messageChanged } from '@atrium/proto-events/events/chat';
import type { meetingReopened } from '@atrium/proto-events/events/meeting-closing';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { projectConversationId } from '../conversations/conversation-id.ts';
import type { Deps } from '../deps.ts';
import { findRevision } from '../messages/message-changes.ts';
import { findSent, markMessageDeleted } from '../messages/message-repository.ts';
import { summaryMessageId } from './summary-message.ts';

/** Deletes the summary of the closing, if there is one. */
export const removeSummary =
  ({ db, broadcaster }: Deps) =>
  async ({ data, actorId }: EventOf<typeof meetingReopened>): Promise<void> => {
    if (data.project === null) return;
    const conversation = projectConversationId(data.project);
    const clientMessageId = summaryMessageId(data.closingId);
    const deleted = await db.transaction(async (tx) => {
      const message = await findSent(tx, { conversation, sender: data.closedBy, clientMessageId });
      if (!message || !(await markMessageDeleted(tx, message))) return undefined;
      const [id, { seq }, revision] = [message.message_id, message, await findRevision(tx, message)];
      const change = { conversationId: conversation, messageId: id, seq, action: 'deleted' as const, revision };
      await appendEvent(tx, { event: messageChanged, data: change, aggregate: id, actorId });
      return { conversation, message: id, seq, ...(revision && { revision }) };
    });
    if (deleted) broadcaster.messageDeleted(deleted, await broadcaster.listFormerParticipants(conversation));
  };
