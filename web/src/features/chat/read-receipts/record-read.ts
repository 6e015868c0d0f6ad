import type { markConversationRead } from '@atrium/proto-events/http/chat';
import { call } from '#lib/api/api.ts';
import { currentUserId } from '#lib/session/session.ts';
import { chatSocket, emitChat } from '#realtime/socket.ts';
import { unread } from '#realtime/unread/unread.ts';
import { createReadReceipts } from './send-read-receipts.ts';

/** Sends the current user's read position in a conversation. */
export const recordRead = createReadReceipts({
  unread,
  currentUserId,
  send: (id, seq) => void sendReadPosition(id, seq),
});

async function sendReadPosition(id: string, seq: number): Promise<void> {
  try {
    if (chatSocket.connected) await emitChat('message:read', { conversation: id, seq });
    else
      await call<typeof markConversationRead>('POST /chat/conversations/:id/read', { params: { id }, body: { seq } });
  } catch {
    // The server's count is kept, and shown again with the next list response.
  }
}
