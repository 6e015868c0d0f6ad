import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';

export type Action =
  | { do: 'open'; conversation: string | null }
  | { do: 'send'; conversation: string; content: string }
  /** The `nth` displayed message of the client's own user, counted from the last. */
  | { do: 'edit'; nth: number; content: string }
  | { do: 'delete'; nth: number }
  | { do: 'add' | 'remove'; conversation: string; person: string }
  | { do: 'rename'; conversation: string; title: string }
  | { do: 'offline' | 'online' }
  | { do: 'show' };

export type Shown = {
  isConnected: boolean;
  open: string | null;
  /** Messages of the open conversation, oldest first. */
  messages: readonly Line[];
  hasNewer: boolean;
  conversations: readonly Row[];
  unread: number;
};

export type Line = { seq: number; sender: string; content: string; deleted: boolean };

export const lineOf = ({ seq, sender, content, deleted }: Message): Line => ({
  seq,
  sender: sender._id,
  content,
  deleted,
});

/** A row of the conversation list. */
export type Row = Pick<Conversation, '_id' | 'title' | 'lastSeq' | 'lastReadSeq' | 'unreadCount' | 'version'> & {
  last: string | null;
  count: number;
};

export const rowOf = (item: Conversation): Row => ({
  _id: item._id,
  title: item.title,
  lastSeq: item.lastSeq,
  lastReadSeq: item.lastReadSeq,
  unreadCount: item.unreadCount,
  version: item.version,
  last: item.lastMessage && `${item.lastMessage.seq} ${item.lastMessage.content}`,
  count: item.participantCount,
});

export type ActionRequest = { id: number; action: Action };
export type ActionResponse = { id: number; shown: Shown; error?: string };
export type ClientArgs = { url: string; accessToken: string; refreshToken: string };
