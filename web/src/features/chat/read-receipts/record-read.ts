import type { Conversation, markConversationRead } from '@atrium/proto-events/http/chat';
import { call } from '#lib/api/api.ts';
import { coalesce } from '#lib/delayed-tasks.ts';
import { currentUserId } from '#lib/session/session.ts';
import { chatSocket, emitChat } from '#realtime/connection/socket.ts';
import type { UnreadTracker } from '#realtime/count-unread.ts';
import { unread } from '#realtime/unread.ts';

/** Throttled, because the number of events per user and minute is limited. */
const SEND_INTERVAL_MS = 1_000;

type Read = { userId: string; id: string; seq: number };

type ReadReceiptDeps = {
  unread: Pick<UnreadTracker, 'record'>;
  currentUserId: () => string | null;
  /** A lost position is corrected by the next one, or when the conversation is opened again. */
  send: (id: string, seq: number) => void;
};

/** The caller that counts a message as seen reports it, even if the conversation is closed at that moment. */
export function createReadReceipts({
  unread,
  currentUserId,
  send,
}: ReadReceiptDeps): (userId: string, id: string, seq: number) => void {
  const queueRead = coalesce<Read>(SEND_INTERVAL_MS, (reads) => {
    const latest = new Map<string, number>();
    for (const { userId, id, seq } of reads)
      if (userId === currentUserId()) latest.set(id, Math.max(seq, latest.get(id) ?? 0));
    for (const [id, seq] of latest) send(id, seq);
  });
  return (userId, id, seq) => {
    unread.record({ kind: 'seen', conversation: id, seq });
    queueRead([{ userId, id, seq }]);
  };
}

export const hasUnread = ({ lastSeq, lastReadSeq, unreadCount, lastMessage }: Conversation, userId: string): boolean =>
  unreadCount > 0 || (lastSeq > lastReadSeq && lastMessage?.sender._id !== userId);

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
