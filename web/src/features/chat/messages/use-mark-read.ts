import type { Conversation, markConversationRead } from '@atrium/proto-events/http/chat';
import { useEffect } from 'react';
import { useListChanges } from '../../../entities/conversation/use-conversations.ts';
import { call } from '../../../lib/api/api.ts';
import { presentPerson } from '../../../lib/session/session.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { coalesce } from '../../../realtime/coalesce.ts';
import { chatSocket, emitChat } from '../../../realtime/socket.ts';
import { unread } from '../../../realtime/unread/unread.ts';
import { withSeen } from '../conversation-news.ts';

/** Where people talk all the time, each message is not read by an event of its own: what a person may send in a minute is bounded. */
const READS_EVERY_MS = 1_000;

/** Sends the read state of the open conversation whenever it can be seen and something in it is unread. */
export function useMarkRead(conversation: Conversation, isSeen: boolean): void {
  const { _id, lastSeq, lastReadSeq, unreadCount, lastMessage } = conversation;
  const me = useCurrentUser()._id;
  const { update } = useListChanges();
  const isDue = isSeen && (unreadCount > 0 || (lastSeq > lastReadSeq && lastMessage?.sender._id !== me));
  useEffect(() => {
    if (!isDue) return;
    update(_id, (known) => withSeen(known, lastSeq));
    noteRead(me, _id, lastSeq);
  }, [_id, lastSeq, isDue, me, update]);
}

/** Tells that somebody has read up to there. What arrives in sight is told by whoever counts it as seen, also if the room closes in that moment. */
export function noteRead(person: string, id: string, seq: number): void {
  unread.note({ kind: 'seen', conversation: id, seq });
  tellReads([{ person, id, seq }]);
}

type Read = { person: string; id: string; seq: number };

const tellReads = coalesce<Read>(READS_EVERY_MS, (reads) => {
  const latest = new Map<string, number>();
  for (const { person, id, seq } of reads)
    if (person === presentPerson()) latest.set(id, Math.max(seq, latest.get(id) ?? 0));
  for (const [id, seq] of latest) void tellRead(id, seq);
});

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
