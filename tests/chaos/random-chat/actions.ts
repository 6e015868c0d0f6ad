import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';

/** What a client is told to do. */
export type Action =
  | { do: 'open'; conversation: string | null }
  | { do: 'send'; conversation: string; content: string }
  /** The `nth` of one's own messages that it shows, counted from the last. */
  | { do: 'edit'; nth: number; content: string }
  | { do: 'delete'; nth: number }
  | { do: 'add' | 'remove'; conversation: string; person: string }
  | { do: 'rename'; conversation: string; title: string }
  | { do: 'offline' | 'online' }
  | { do: 'show' };

export type Shown = {
  isConnected: boolean;
  open: string | null;
  /** Of the open conversation, oldest first. */
  messages: readonly Line[];
  hasNewer: boolean;
  conversations: readonly Row[];
  unread: number;
};

/** What a browser shows of a message. */
export type Line = { seq: number; sender: string; content: string; deleted: boolean };

export const lineOf = ({ seq, sender, content, deleted }: Message): Line => ({
  seq,
  sender: sender._id,
  content,
  deleted,
});

/** What its list shows of a conversation. */
export type Row = Pick<Conversation, '_id' | 'title' | 'lastSeq' | 'lastReadSeq' | 'unreadCount' | 'version'> & {
  last: string | null;
  count: number;
};

export const rowOf = (one: Conversation): Row => ({
  _id: one._id,
  title: one.title,
  lastSeq: one.lastSeq,
  lastReadSeq: one.lastReadSeq,
  unreadCount: one.unreadCount,
  version: one.version,
  last: one.lastMessage && `${one.lastMessage.seq} ${one.lastMessage.content}`,
  count: one.participantCount,
});

export type Asked = { id: number; action: Action };
export type Answered = { id: number; shown: Shown; refused?: string };
export type Given = { url: string; accessToken: string; refreshToken: string };
