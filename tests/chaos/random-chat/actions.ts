import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';

export type Action =
  | { do: 'open'; conversation: string | null }
  | { do: 'send'; conversation: string; content: string }
  /** Edits the user's own `nth` displayed message, counted from the last. */
  | { do: 'edit'; nth: number; content: string }
  | { do: 'delete'; nth: number }
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
};

export type MessageLine = { seq: number; sender: string; content: string; deleted: boolean };

export const toMessageLine = ({ seq, sender, content, deleted }: Message): MessageLine => ({
  seq,
  sender: sender._id,
  content,
  deleted,
});

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
