import type { deleteMessage, Message } from '@atrium/proto-events/http/chat/messages';
import type { editMessage } from '@atrium/proto-events/http/chat/sending';
import { withoutContent } from '#entities/conversation/conversation.ts';
import { call } from '#lib/api/api.ts';
import { createOwnerCheck } from '#lib/session/session.ts';
import { createLinkRecorder } from '../files/image-links.ts';
import { threadLogId } from './log-id.ts';
import { newer } from './merge-messages.ts';
import { withMessage, withReceived } from './message-log.ts';
import { applyToLog, logWriter } from './message-store.ts';
import { changeRoot } from './thread-roots.ts';

/** Changes a message wherever it is shown: a reply can be in its conversation, too, where it has a different seq. */
function messageWriter({ _id, conversation, thread }: Message): (change: (message: Message) => Message) => void {
  const logIds = [conversation, ...(thread?.root === undefined ? [] : [threadLogId(thread.root)])];
  const writers = logIds.map((logId) => logWriter(logId));
  return (change) => {
    for (const write of writers) write((log) => withMessage(log, _id, change));
    changeRoot(_id, change);
  };
}

/** Call this before the request. The returned function applies the response. */
export function responseWriter(message: Message): (response: Message) => void {
  const write = messageWriter(message);
  return (response) => write((known) => newer(known, { ...response, seq: known.seq }));
}

/** Call this before the request. The returned function adds the sent message to the log, if that is loaded. */
export function sentWriter(conversationId: string): (sent: Message) => void {
  const isSameOwner = createOwnerCheck();
  const recordLinks = createLinkRecorder();
  return (sent) => {
    if (!isSameOwner()) return;
    recordLinks([sent]);
    applyToLog(conversationId, (log) => withReceived(log, [sent]));
  };
}

export async function saveEdit(message: Message, content: string): Promise<void> {
  const writeResponse = responseWriter(message);
  const recordLinks = createLinkRecorder();
  const input = { params: { id: message._id }, body: { content } };
  const editedMessage = await call<typeof editMessage>('PATCH /chat/messages/:id', input);
  recordLinks([editedMessage]);
  writeResponse(editedMessage);
}

export async function removeMessage(message: Message): Promise<void> {
  const write = messageWriter(message);
  await call<typeof deleteMessage>('DELETE /chat/messages/:id', { params: { id: message._id } });
  write(withoutContent);
}
