import type { Conversation } from '@atrium/proto-events/http/chat';

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
  pending: number;
  conversations: readonly Row[];
  unread: number;
};

/** What a browser shows of a message. */
export type Line = { seq: number; sender: string; content: string; deleted: boolean };

/** What its list shows of a conversation. */
export type Row = Pick<Conversation, '_id' | 'title' | 'lastSeq' | 'lastReadSeq' | 'unreadCount' | 'version'> & {
  last: string | null;
  count: number;
};

export type Asked = { id: number; action: Action };
export type Answered = { id: number; shown: Shown; refused?: string };
export type Given = { url: string; accessToken: string; refreshToken: string };
