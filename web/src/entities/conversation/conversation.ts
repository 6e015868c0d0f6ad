import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import { displayName, USERS_PER_ITEM } from '../user/user-labels.ts';

export const LATEST_CONVERSATIONS = { limit: 100, people: USERS_PER_ITEM } as const;

/** The other participant of a direct conversation; the user themselves in a conversation with themselves. */
export function otherParticipant(
  { participants }: Pick<Conversation, 'participants'>,
  currentUserId: string,
): UserSummary | undefined {
  return participants.find(({ _id }) => _id !== currentUserId) ?? participants[0];
}

export function conversationName(conversation: Conversation, currentUserId: string): string {
  if (conversation.type === 'direct') return displayName(otherParticipant(conversation, currentUserId));
  return conversation.title || 'Untitled conversation';
}

type Reader = { currentUserId: string; isSeen: boolean };

export function withNewMessage(
  conversation: Conversation,
  message: Message,
  { currentUserId, isSeen }: Reader,
): Conversation {
  if (message.seq <= conversation.lastSeq) return conversation;
  const isMine = message.sender._id === currentUserId;
  const isRead = !isMine && isSeen;
  return {
    ...conversation,
    lastMessage: message,
    lastSeq: message.seq,
    updatedAt: message.createdAt,
    lastReadSeq: isRead ? Math.max(conversation.lastReadSeq, message.seq) : conversation.lastReadSeq,
    unreadCount: conversation.unreadCount + (isMine || isSeen || message.seq <= conversation.lastReadSeq ? 0 : 1),
  };
}

export const withSeen = (
  conversation: Conversation,
  seq: number,
  maxUnread = Number.POSITIVE_INFINITY,
): Conversation => ({
  ...conversation,
  unreadCount: Math.min(conversation.unreadCount, maxUnread, Math.max(0, conversation.lastSeq - seq)),
  lastReadSeq: Math.max(conversation.lastReadSeq, seq),
});

export function withRead(conversation: Conversation, seq: number): Conversation {
  return seq < conversation.lastSeq || seq <= conversation.lastReadSeq
    ? conversation
    : { ...conversation, lastReadSeq: seq, unreadCount: 0 };
}

export const withoutContent = (message: Message): Message => ({
  ...message,
  content: '',
  attachments: [],
  deleted: true,
});
