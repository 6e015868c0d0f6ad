import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';

export type Action =
  | { do: 'open'; conversation: string | null }
  | { do: 'send'; conversation: string; content: string }
  /** Edits the user's own `nth` displayed message, counted from the last. */
  | { do: 'edit'; nth: number; content: string }
  | { do: 'delete'; nth: number }
  /** Act on any user's `nth` displayed message, counted from the last. */
  | { do: 'react'; nth: number; emoji: string; isAdded: boolean }
  | { do: 'pin'; nth: number; isPinned: boolean }
  | { do: 'reply'; nth: number; content: string; alsoInConversation: boolean }
  | { do: 'readThread'; nth: number }
  | { do: 'markUnread'; nth: number }
  | { do: 'poll'; conversation: string; question: string }
  /** Votes in the user's `nth` displayed poll, counted from the last. */
  | { do: 'vote'; nth: number; option: string | null }
  | { do: 'add' | 'remove'; conversation: string; userId: string }
  | { do: 'rename'; conversation: string; title: string }
  | { do: 'offline' | 'online' }
  | { do: 'show' };

export type DisplayedState = {
  isConnected: boolean;
  open: string | null;
  /** Messages of the open conversation, oldest first. */
  messages: readonly MessageLine[];
  hasNewer: boolean;
  conversations: readonly ConversationRow[];
  unread: number;
  /** In all threads that the user follows. */
  unreadReplies: number;
};

export type MessageLine = {
  seq: number;
  sender: string;
  content: string;
  deleted: boolean;
  reactions: unknown;
  pinnedBy: string | null;
  votes: unknown;
  /** Of a root. */
  replyCount: number;
  lastReply: number;
};

export const toMessageLine = (message: Message): MessageLine => {
  const { seq, sender, content, deleted, reactions, pinned, thread, poll } = message;
  return {
    seq,
    sender: sender._id,
    content,
    deleted,
    reactions: reactions.map(({ emoji, count, mine, users }) => [emoji, count, mine, users.map(({ _id }) => _id)]),
    pinnedBy: pinned?.by._id ?? null,
    votes: poll && [
      poll.voterCount,
      poll.votedAt,
      // Nobody has voted yet in the broadcast of a new poll.
      poll.options.map(({ count, mine = false, users }) => [count, mine, users.map(({ _id }) => _id)]),
    ],
    replyCount: thread?.replyCount ?? 0,
    lastReply: thread?.lastSeq ?? 0,
  };
};

/** A row of the conversation list. */
export type ConversationRow = Pick<
  Conversation,
  '_id' | 'title' | 'lastSeq' | 'lastReadSeq' | 'unreadCount' | 'version'
> & {
  lastMessage: string | null;
  participantCount: number;
};

export const toConversationRow = (item: Conversation): ConversationRow => ({
  _id: item._id,
  title: item.title,
  lastSeq: item.lastSeq,
  lastReadSeq: item.lastReadSeq,
  unreadCount: item.unreadCount,
  version: item.version,
  lastMessage: item.lastMessage && `${item.lastMessage.seq} ${item.lastMessage.content}`,
  participantCount: item.participantCount,
});
