import type { deleteMessage, editMessage, Message } from '@atrium/proto-events/http/chat-messages';
import { call } from '#lib/api/api.ts';
import { createLinkRecorder } from '../files/image-links.ts';
import { withDeleted, withReceived } from './message-log.ts';
import { logWriter } from './message-store.ts';

export async function saveEdit(message: Message, content: string): Promise<void> {
  const writeLog = logWriter(message.conversation);
  const recordLinks = createLinkRecorder();
  const input = { params: { id: message._id }, body: { content } };
  const editedMessage = await call<typeof editMessage>('PATCH /chat/messages/:id', input);
  recordLinks([editedMessage]);
  writeLog((log) => withReceived(log, [editedMessage]));
}

export async function removeMessage(message: Message): Promise<void> {
  const writeLog = logWriter(message.conversation);
  await call<typeof deleteMessage>('DELETE /chat/messages/:id', { params: { id: message._id } });
  writeLog((log) => withDeleted(log, message.seq));
}
