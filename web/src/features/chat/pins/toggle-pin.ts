import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { pinMessage, saveMessage, unpinMessage, unsaveMessage } from '@atrium/proto-events/http/chat/pins';
import { call } from '#lib/api/api.ts';
import { showErrorToast, showSuccess } from '#ui/overlays/toast.ts';
import { responseWriter } from '../log/write-messages.ts';

/** Pins a message for everyone in the conversation, or unpins it. */
export async function togglePin(message: Message): Promise<void> {
  const write = responseWriter(message);
  const input = { params: { id: message._id } };
  try {
    const response = message.pinned
      ? await call<typeof unpinMessage>('DELETE /chat/messages/:id/pin', input)
      : await call<typeof pinMessage>('PUT /chat/messages/:id/pin', input);
    write(response);
    showSuccess(response.pinned ? 'Pinned for everyone here' : 'Unpinned');
  } catch (error) {
    showErrorToast(error, message.pinned ? 'Failed to unpin the message' : 'Failed to pin the message');
  }
}

/** Saves a message in the user's own list, or removes it from there. */
export async function toggleSaved(message: Message): Promise<void> {
  const write = responseWriter(message);
  const input = { params: { id: message._id } };
  try {
    const response = message.saved
      ? await call<typeof unsaveMessage>('DELETE /chat/messages/:id/saved', input)
      : await call<typeof saveMessage>('PUT /chat/messages/:id/saved', input);
    write(response);
    showSuccess(response.saved ? 'Saved for later' : 'Removed from saved messages');
  } catch (error) {
    showErrorToast(error, 'Failed to change your saved messages');
  }
}
