import type { deleteMessage, editMessage, Message } from '@atrium/proto-events/http/chat-messages';
import { call } from '#lib/api/api.ts';
import { createLinkRecorder } from '../files/image-links.ts';
import { withDeleted, withReceived } from '../log/message-log.ts';
import { logWriter } from '../log/message-store.ts';

export async function saveEdit(message: Message, content: string): Promise<void> {
  const write = logWriter(message.conversation);
  const keepPictures = createLinkRecorder();
  const input = { params: { id: message._id }, body: { content } };
  const edited = await call<typeof editMessage>('PATCH /chat/messages/:id', input);
  keepPictures([edited]);
  write((log) => withReceived(log, [edited]));
}

export async function removeMessage(message: Message): Promise<void> {
  const write = logWriter(message.conversation);
  await call<typeof deleteMessage>('DELETE /chat/messages/:id', { params: { id: message._id } });
  write((log) => withDeleted(log, message.seq));
}
