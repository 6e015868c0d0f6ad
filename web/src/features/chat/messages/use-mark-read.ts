import type { Conversation, markConversationRead } from '@atrium/proto-events/http/chat';
import { useEffect } from 'react';
import { call } from '../../../lib/api/api.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { chatSocket, emitChat } from '../../../realtime/socket.ts';
import { useListChanges } from '../conversations/use-conversations.ts';

/** Sends the read state of the open conversation whenever it can be seen and something in it is unread. */
export function useMarkRead(conversation: Conversation, isSeen: boolean): void {
  const { _id, lastSeq, lastReadSeq, unreadCount, lastMessage } = conversation;
  const me = useCurrentUser()._id;
  const { update } = useListChanges();
  // What arrives in sight is told at once, before anybody's list has counted it.
  const isDue = isSeen && (unreadCount > 0 || (lastSeq > lastReadSeq && lastMessage?.sender._id !== me));
  useEffect(() => {
    if (!isDue) return;
    update(_id, (known) => ({ ...known, unreadCount: 0, lastReadSeq: Math.max(known.lastReadSeq, lastSeq) }));
    void tellRead(_id, lastSeq);
  }, [_id, lastSeq, isDue, update]);
}

/** A lost one is made good by the next, or when the conversation is opened again. */
async function tellRead(id: string, seq: number): Promise<void> {
  try {
    if (chatSocket.connected) await emitChat('message:read', { conversation: id, seq });
    else
      await call<typeof markConversationRead>('POST /chat/conversations/:id/read', { params: { id }, body: { seq } });
  } catch {
    // The server's count stays, and shows again with the next answer of the list.
  }
}
