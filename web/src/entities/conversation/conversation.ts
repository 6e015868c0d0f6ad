import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import { displayName, PEOPLE_OF_EACH } from '../user/person.ts';

export const LATEST_CONVERSATIONS = { limit: 100, people: PEOPLE_OF_EACH } as const;

/** The other participant of a direct conversation; the user themselves in a conversation with themselves. */
export function otherParticipant(
  { participants }: Pick<Conversation, 'participants'>,
  me: string,
): UserSummary | undefined {
  return participants.find(({ _id }) => _id !== me) ?? participants[0];
}

export function conversationName(conversation: Conversation, me: string): string {
  if (conversation.type === 'direct') return displayName(otherParticipant(conversation, me));
  return conversation.title || 'Untitled conversation';
}

type Reader = { me: string; isSeen: boolean };

export function withNewMessage(known: Conversation, message: Message, { me, isSeen }: Reader): Conversation {
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

export const withSeen = (known: Conversation, seq: number, rest = Number.POSITIVE_INFINITY): Conversation => ({
  ...known,
  unreadCount: Math.min(known.unreadCount, rest, Math.max(0, known.lastSeq - seq)),
  lastReadSeq: Math.max(known.lastReadSeq, seq),
});

export function withRead(known: Conversation, seq: number): Conversation {
  return seq < known.lastSeq || seq <= known.lastReadSeq ? known : { ...known, lastReadSeq: seq, unreadCount: 0 };
}

export const withoutContent = (message: Message): Message => ({
  ...message,
  content: '',
  attachments: [],
  deleted: true,
});
