import type { deleteMessage, editMessage, Message } from '@atrium/proto-events/http/chat-messages';
import { call } from '../../../lib/api/api.ts';
import { showFailure } from '../../../ui/overlays/show-failure.ts';
import { withDeleted, withReceived } from '../log/message-log.ts';
import { logWriter } from '../log/message-store.ts';

/** Answers whether it was saved; what was typed stays where it was not. */
export async function saveEdit(message: Message, content: string): Promise<boolean> {
  const write = logWriter(message.conversation);
  const input = { params: { id: message._id }, body: { content } };
  try {
    const edited = await call<typeof editMessage>('PATCH /chat/messages/:id', input);
    write((log) => withReceived(log, [edited]));
    return true;
  } catch (error) {
    showFailure(error, 'Failed to edit message');
    return false;
  }
}

export async function removeMessage(message: Message): Promise<void> {
  const write = logWriter(message.conversation);
  await call<typeof deleteMessage>('DELETE /chat/messages/:id', { params: { id: message._id } });
  write((log) => withDeleted(log, message.seq));
}
