import type { EventOf } from '@atrium/proto-events/event';
import { messageChanged, messageSent, replySent } from '@atrium/proto-events/events/chat';
import { listMentions } from '@atrium/proto-events/text/mentions';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import { findNotifiedMessage } from '../model/messages/recipient-repository.ts';
import { changeMentions } from './change-mentions.ts';
import { findCandidates, type RecipientDeps } from './find-candidates.ts';
import { publishRecipients } from './publish-recipients.ts';

type Sent = EventOf<typeof messageSent> | EventOf<typeof replySent>;

/**
 * Finds the users to be notified after a message has been sent, because that is one statement, which a mention of
 * thousands must not delay.
 */
async function notifyRecipients({ showsText, ...deps }: RecipientDeps, cause: Sent): Promise<void> {
  const { conversationId, seq } = cause.data;
  const rootId = 'rootId' in cause.data ? cause.data.rootId : undefined;
  const message = await findNotifiedMessage(deps.db, rootId ?? conversationId, seq);
  if (!message) return;
  const candidates = await findCandidates(deps, message, { rootId, mentions: listMentions(message.content) });
  const text = showsText ? message.content : undefined;
  await publishRecipients(deps, {
    message,
    rootId,
    candidates,
    isEdit: false,
    cause,
    actorId: message.sender_id,
    text,
  });
}

/** Starts with new messages: nobody is notified of those from before. */
export const recipientsSubscription = (deps: RecipientDeps) =>
  subscription({
    name: 'recipients',
    inbox: false,
    handlers: [
      on(messageSent, (event) => notifyRecipients(deps, event)),
      on(replySent, (event) => notifyRecipients(deps, event)),
      on(messageChanged, (event) => changeMentions(deps, event)),
    ],
  });
