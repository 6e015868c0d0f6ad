import { messageChanged } from '@atrium/proto-events/events/chat';
import { EMPTY_MESSAGE, type Message } from '@atrium/proto-events/http/chat-messages';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { findAttachmentsOf } from '../attachments/attachment-repository.ts';
import { presentAttachment } from '../attachments/present-attachment.ts';
import type { Deps } from '../deps.ts';
import { findRevision } from './message-changes.ts';
import { changeContent, findMessage, replaceNullCharacters } from './message-repository.ts';
import { canEdit, canSee, EDIT_DENIED } from './policy.ts';
import { presentMessage, presentMessageFor } from './present-message.ts';
import { findReadersOf } from './read-by.ts';

/** An empty text is valid only for a message with files. */
export async function editMessage(
  deps: Deps,
  caller: Caller,
  { id, content }: { id: string; content: string },
): Promise<Message> {
  const { db, directory, broadcaster } = deps;
  const {
    after: edited,
    revision,
    files,
    isChanged,
  } = await db.transaction(async (tx) => {
    const before = await findMessage(tx, id, caller.userId);
    // Participants only: administrators can see other messages only to delete them.
    if (!before || !canSee(caller, before)) throw notFound('Message');
    if (!canEdit(caller, before)) throw new AppError('forbidden', EDIT_DENIED);
    if (!before.takes_part) throw notFound('Message');
    const files = await findAttachmentsOf(tx, before);
    if (content === '' && files.length === 0)
      throw new AppError('validation_failed', EMPTY_MESSAGE, { messages: [EMPTY_MESSAGE] });
    if (before.deleted_at === null && replaceNullCharacters(content) === before.content)
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
    const excluded = await broadcaster.listFormerParticipants(edited.conversation_id);
    broadcaster.messageEdited(presentMessage(directory, edited, files.map(presentAttachment)), { excluded, revision });
  }
  return presentMessageFor(deps, edited, { viewer: caller, readBy: await findReadersOf(db, directory, edited), files });
}
