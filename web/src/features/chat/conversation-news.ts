import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';

type Reader = { me: string; isSeen: boolean };

/** The conversation after a message: on top, and with one more unread where somebody else wrote what nobody has seen yet. */
export function withNews(known: Conversation, message: Message, { me, isSeen }: Reader): Conversation {
  if (message.seq <= known.lastSeq) return known;
  const isMine = message.sender._id === me;
  return {
    ...known,
    lastMessage: message,
    lastSeq: message.seq,
    updatedAt: message.createdAt,
    unreadCount: known.unreadCount + (isMine || isSeen ? 0 : 1),
  };
}
