import { messageChanged } from '@atrium/proto-events/events/chat';
import { EMPTY_MESSAGE, type Message } from '@atrium/proto-events/http/chat-messages';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { findRevision } from './message-changes.ts';
import { changeContent, findMessage } from './message-repository.ts';
import { EDIT_REFUSED, mayEdit, mayKnow } from './policy.ts';
import { answerMessage, presentMessage } from './present-message.ts';
import { findReadersOf } from './read-by.ts';

/** Changes the text of one's own message. */
export async function editMessage(
  { db, directory, announce }: Deps,
  caller: Caller,
  { id, content }: { id: string; content: string },
): Promise<Message> {
  const { after: edited, revision } = await db.transaction(async (tx) => {
    const before = await findMessage(tx, id, caller.userId);
    // Who has left a conversation reads nothing of it any more, so an administrator's knowledge does not count here.
    if (!before || !mayKnow(caller, before)) throw notFound('Message');
    if (!mayEdit(caller, before)) throw new AppError('forbidden', EDIT_REFUSED);
    if (!before.takes_part) throw notFound('Message');
    if (content === '') throw new AppError('validation_failed', EMPTY_MESSAGE, { messages: [EMPTY_MESSAGE] });
    const after = await changeContent(tx, before, content);
    if (!after) throw new AppError('conflict', 'This message was deleted');
    await appendEvent(tx, {
      event: messageChanged,
      data: { conversationId: after.conversation_id, messageId: id, seq: after.seq, action: 'edited' },
      aggregate: id,
      actorId: caller.userId,
    });
    return { after, revision: await findRevision(tx, after) };
  });
  const left = await announce.ready(edited.conversation_id);
  announce.messageEdited(presentMessage(directory, edited), { left, revision });
  return answerMessage(directory, edited, { viewer: caller, readBy: await findReadersOf(db, directory, edited) });
}
