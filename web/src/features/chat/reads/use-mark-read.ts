import type { Conversation, markConversationRead } from '@atrium/proto-events/http/chat';
import { useEffect } from 'react';
import { withSeen } from '../../../entities/conversation/conversation-news.ts';
import { useListChanges } from '../../../entities/conversation/use-conversations.ts';
import { call } from '../../../lib/api/api.ts';
import { presentPerson } from '../../../lib/session/session.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { chatSocket, emitChat } from '../../../realtime/socket.ts';
import { unread } from '../../../realtime/unread/unread.ts';
import { createReads, isToBeRead } from './tell-reads.ts';

/** Sends the read state of the open conversation whenever it can be seen and something in it is unread. */
export function useMarkRead(conversation: Conversation, isSeen: boolean): void {
  const { _id, lastSeq } = conversation;
  const me = useCurrentUser()._id;
  const { update } = useListChanges();
  const isDue = isSeen && isToBeRead(conversation, me);
  useEffect(() => {
    if (!isDue) return;
    update(_id, (known) => withSeen(known, lastSeq));
    noteRead(me, _id, lastSeq);
  }, [_id, lastSeq, isDue, me, update]);
}

export const noteRead = createReads({ unread, presentPerson, tell: (id, seq) => void tellRead(id, seq) });

async function tellRead(id: string, seq: number): Promise<void> {
  try {
    if (chatSocket.connected) await emitChat('message:read', { conversation: id, seq });
    else
      await call<typeof markConversationRead>('POST /chat/conversations/:id/read', { params: { id }, body: { seq } });
  } catch {
    // The server's count stays, and shows again with the next answer of the list.
  }
}
