import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';

type Reader = { me: string; isSeen: boolean };

/** The conversation after a message: on top, and with one more unread where somebody else wrote what is not seen yet; else read up to there. */
export function withNews(known: Conversation, message: Message, { me, isSeen }: Reader): Conversation {
  if (message.seq <= known.lastSeq) return known;
  const isMine = message.sender._id === me;
  const isRead = !isMine && isSeen;
  return {
    ...known,
    lastMessage: message,
    lastSeq: message.seq,
    updatedAt: message.createdAt,
    lastReadSeq: isRead ? Math.max(known.lastReadSeq, message.seq) : known.lastReadSeq,
    unreadCount: known.unreadCount + (isMine || isSeen || message.seq <= known.lastReadSeq ? 0 : 1),
  };
}

/** The conversation after its reader has seen it here up to there: `rest` is unread, or at most what came since. */
export const withSeen = (known: Conversation, seq: number, rest = Number.POSITIVE_INFINITY): Conversation => ({
  ...known,
  unreadCount: Math.min(known.unreadCount, rest, Math.max(0, known.lastSeq - seq)),
  lastReadSeq: Math.max(known.lastReadSeq, seq),
});

/** The conversation after its reader has read up to there on another device; how many are left of what came since, the server alone knows. */
export function withRead(known: Conversation, seq: number): Conversation {
  return seq < known.lastSeq || seq <= known.lastReadSeq ? known : { ...known, lastReadSeq: seq, unreadCount: 0 };
}

/** What is left of a deleted message. */
export const emptied = (message: Message): Message => ({ ...message, content: '', attachments: [], deleted: true });
