import type {
  Conversation,
  PersonalConversation,
  SharedConversation,
} from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { UserSummary } from '@atrium/proto-events/people';
import { displayName, USERS_PER_ITEM } from '../user/user-labels.ts';

export const LATEST_CONVERSATIONS = { limit: 100, people: USERS_PER_ITEM } as const;

/** A conversation as events and writes contain it: those for all participants lack what belongs to one user. */
export type ConversationUpdate = SharedConversation & Partial<PersonalConversation>;

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

/** Keeps `lastSeq - unreadCount`, which is as of the response: `realtime/read-states.ts` knows what was read since. */
export function withNewMessage(conversation: Conversation, message: Message): Conversation {
  const { lastSeq, unreadCount } = conversation;
  if (message.seq <= lastSeq) return conversation;
  return {
    ...conversation,
    lastMessage: message,
    lastSeq: message.seq,
    updatedAt: message.createdAt,
    unreadCount: unreadCount + message.seq - lastSeq,
  };
}

/**
 * Applies the conversation of an event or a write. Its version covers only name and participants, so messages that have
 * arrived since are kept.
 */
export function withUpdate(existing: Conversation, update: ConversationUpdate): Conversation {
  if (existing.version > update.version) return existing;
  const { lastMessage, lastSeq } = existing.lastSeq > update.lastSeq ? existing : update;
  const { lastReadSeq, readSeq, readRevision } = laterReads(toReads(existing), toReads(update));
  return {
    ...existing,
    ...update,
    lastMessage,
    lastSeq,
    updatedAt: existing.updatedAt > update.updatedAt ? existing.updatedAt : update.updatedAt,
    lastReadSeq,
    unreadCount: lastSeq - readSeq,
    readRevision,
  };
}

type Reads = { lastReadSeq: number; readSeq: number; readRevision: number };

/** Events for all participants lack them. */
const toReads = ({ lastSeq, lastReadSeq = 0, unreadCount = lastSeq, readRevision = 0 }: ConversationUpdate): Reads => ({
  lastReadSeq,
  readSeq: lastSeq - unreadCount,
  readRevision,
});

function laterReads(reads: Reads, other: Reads): Reads {
  if (reads.readRevision !== other.readRevision) return reads.readRevision > other.readRevision ? reads : other;
  return {
    ...reads,
    lastReadSeq: Math.max(reads.lastReadSeq, other.lastReadSeq),
    readSeq: Math.max(reads.readSeq, other.readSeq),
  };
}

export const withoutContent = (message: Message): Message => ({
  ...message,
  content: '',
  attachments: [],
  reactions: [],
  tasks: [],
  summary: null,
  mentions: { users: [], here: false, everyone: false, groups: [] },
  pinned: null,
  forwarded: null,
  poll: null,
  saved: false,
  deleted: true,
});
