import { messageChanged } from '@atrium/proto-events/events/chat';
import { EMPTY_MESSAGE, type Message } from '@atrium/proto-events/http/chat-messages';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { findAttachmentsOf } from '../attachments/attachment-repository.ts';
import { presentAttachment } from '../attachments/present-attachment.ts';
import type { Deps } from '../deps.ts';
import { findRevision } from './message-changes.ts';
import { changeContent, findMessage, storable } from './message-repository.ts';
import { EDIT_REFUSED, mayEdit, mayKnow } from './policy.ts';
import { answerMessage, presentMessage } from './present-message.ts';
import { findReadersOf } from './read-by.ts';

/** Changes the text of one's own message; none may be left beside files. */
export async function editMessage(
  deps: Deps,
  caller: Caller,
  { id, content }: { id: string; content: string },
): Promise<Message> {
  const { db, directory, announce } = deps;
  const {
    after: edited,
    revision,
    files,
    isChanged,
  } = await db.transaction(async (tx) => {
    const before = await findMessage(tx, id, caller.userId);
    // Who has left a conversation reads nothing of it any more, so an administrator's knowledge does not count here.
    if (!before || !mayKnow(caller, before)) throw notFound('Message');
    if (!mayEdit(caller, before)) throw new AppError('forbidden', EDIT_REFUSED);
    if (!before.takes_part) throw notFound('Message');
    const files = await findAttachmentsOf(tx, before);
    if (content === '' && files.length === 0)
      throw new AppError('validation_failed', EMPTY_MESSAGE, { messages: [EMPTY_MESSAGE] });
    if (before.deleted_at === null && storable(content) === before.content)
      return { after: before, revision: undefined, files, isChanged: false };
    const after = await changeContent(tx, before, content);
    if (!after) throw new AppError('conflict', 'This message was deleted');
    const revision = await findRevision(tx, after);
    await appendEvent(tx, {
      event: messageChanged,
      data: { conversationId: after.conversation_id, messageId: id, seq: after.seq, action: 'edited', revision },
      aggregate: id,
      actorId: caller.userId,
    });
    return { after, revision, files, isChanged: true };
  });
  if (isChanged) {
    const left = await announce.ready(edited.conversation_id);
    announce.messageEdited(presentMessage(directory, edited, files.map(presentAttachment)), { left, revision });
  }
  return answerMessage(deps, edited, { viewer: caller, readBy: await findReadersOf(db, directory, edited), files });
}
