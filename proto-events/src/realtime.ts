import { z } from 'zod';
import { ITEM_TAGS, LIST_TAGS, MAX_TAGS, type Tag } from './change-tags.ts';
import { id } from './fields.ts';
import type { Conversation, PersonalConversation, Preferences, SharedConversation } from './http/chat/conversations.ts';
import { createConversationBody } from './http/chat/conversations.ts';
import type { Draft } from './http/chat/drafts.ts';
import { clientMessageId, content, messageType } from './http/chat/message-text.ts';
import type { Message, Thread } from './http/chat/messages.ts';
import { readRevision } from './http/chat/unread.ts';
import type { UserSummary } from './people.ts';

/** Connect error of a rejected socket. */
export const AUTHENTICATION_ERROR = 'Authentication error';

/** Connect error of a user with too many sockets; retry later. */
export const TOO_MANY_CONNECTIONS = 'Too many connections';

/** Maximum sockets per user, namespace, and pod. */
export const MAX_SOCKETS = 20;

/** Maximum users whose presence one socket can subscribe to. */
export const MAX_PRESENCE_SUBSCRIPTIONS = 500;

/** Number of participants in the response to `conversation:join`, earliest members first. */
export const JOIN_PREVIEW_SIZE = 6;

/** Number of participants in a broadcast conversation, earliest members first. */
export const BROADCAST_PARTICIPANTS = 6;

export type Ack<T = null> = { ok: true; data: T } | { ok: false; error: { code: string; message: string } };

/** A change of a resource that a browser may show. */
export type Change = {
  resource:
    | 'user'
    | 'user-counts'
    | 'department'
    | 'project'
    | 'project-counts'
    | 'task'
    | 'meeting'
    | 'room'
    | 'document'
    | 'conversation'
    | 'channel'
    | 'emoji'
    | 'message'
    | 'reply'
    | 'notification'
    | 'invitation'
    | 'session';
  id: string;
  action: 'created' | 'updated' | 'deleted';
  /**
   * Version of the resource. For `message`, `id` is the conversation, and this is the seq of the message; for `reply`, they
   * are the root and the seq in its thread.
   */
  version: number;
  /** What responses show it, whose browsers receive it. */
  tags: readonly Tag[];
  /**
   * The resource as lists show it, without what belongs to one user (`presentItem`); users are references to `people`.
   * Absent if browsers have to request it.
   */
  item?: object;
  /** The changed fields; absent if unknown. */
  changed?: string[];
  /** Earlier values of changed fields by which lists are filtered and sorted; absent if unknown. */
  previous?: object;
  /** The id of its transaction: lists include it if it is visible in their `asOf` (`isIncluded`). */
  transaction?: string;
  /** For consecutive messages or replies, the first seq; `version` is the last. Absent for a single one. */
  from?: number;
  /** For a changed `message` or `reply`, the revision of its conversation or thread. */
  revision?: number;
};

export const tag = z.union([z.enum(LIST_TAGS), z.templateLiteral([z.enum(ITEM_TAGS), ':', id])]);

/** Changes of a short time. `people` are the users referenced by the items. */
export type Changes = { changes: Change[]; people?: UserSummary[] };

export type LiveServerEvents = {
  /**
   * After these changes, this socket has received everything up to `position`. Changes may repeat: an item with the
   * version that a browser shows already changes nothing. `spreadMs`: over how long browsers spread their requests for
   * what they cannot patch, because many receive the changes.
   */
  changed: (payload: Changes & { position: string; spreadMs?: number }) => void;
  /** The position alone, sent after a period without changes. */
  position: (payload: { position: string }) => void;
  /**
   * Changes and messages may be missing on this socket. The client must refetch everything it displays, as after a
   * reconnect. May be sent repeatedly.
   */
  resync: () => void;
};

/** A fresh token of the same user and session, which both namespaces accept. */
const renewal = { 'auth:refresh': z.object({ token: z.string().max(4_000) }) };

type RenewalEvents = {
  /**
   * The server closes a socket when its token expires ("io server disconnect"). A client that sends a fresh token
   * before that stays connected; the acknowledgment has the new expiry, in milliseconds since 1970. An invalid
   * token, or one of another user or session, is rejected with `unauthorized`.
   */
  'auth:refresh': (payload: { token: string }, ack: (response: Ack<{ expiresAt: number }>) => void) => void;
};

/** Namespace `/live`, from the client: payload schemas. */
export const liveClientPayloads = {
  ...renewal,
  subscribe: z.object({
    tags: z.array(tag).max(MAX_TAGS),
    afterPosition: z.string().max(500).optional(),
    maxAgeMs: z.number().min(0).optional(),
  }),
};

export type LiveClientEvents = RenewalEvents & {
  /**
   * Subscribes this socket to exactly these tags; before the first call it receives none. The acknowledgment contains
   * the changes with these tags after `afterPosition` or, without a position yet, of the last `maxAgeMs` milliseconds;
   * or null if that is too long ago or neither was sent, and the client must refetch everything. Users receive only
   * changes of resources that they can see.
   */
  subscribe: (
    payload: z.input<typeof liveClientPayloads.subscribe>,
    ack: (response: Ack<{ position: string; changes: Change[] | null; people?: UserSummary[] }>) => void,
  ) => void;
};

/**
 * The state of a conversation for one user. Of two states, the one with the higher `readRevision` is later, which
 * increases when messages are marked as unread. Otherwise `lastSeq - unreadCount` never decreases, so the one with the
 * higher difference is later, and of two `lastSeq` the higher one.
 */
export type ReadState = {
  conversation: string;
  lastSeq: number;
  lastReadSeq: number;
  unreadCount: number;
  readRevision: number;
};

/** The state of a thread for one user, compared as that of a conversation while the user follows it. */
export type ThreadState = {
  conversation: string;
  root: string;
  followed: boolean;
  lastSeq: number;
  lastReadSeq: number;
  unreadCount: number;
  /** 0 unless the user follows the thread. */
  readRevision: number;
};

/** A reaction that a user has added or removed. */
export type Reacted = { user: string; emoji: string; isAdded: boolean };

/** `thread` is the root of the message if it is a reply. */
export type SavedChange = { conversation: string; message: string; thread?: string | undefined; saved: boolean };

/** Namespace `/chat`, from the server. */
export type ChatServerEvents = {
  /** `unreadCount` and `readRevision` are the sender's after the message, for their own sockets, unless both are 0. */
  'message:new': (payload: { message: Message; unreadCount?: number; readRevision?: number }) => void;
  /**
   * `revision` is that of the conversation, including this change; `reacted`, who added or removed a reaction. With
   * `thread`, the seq and the revision are those of the thread: of a reply that the conversation shows, too, both change.
   */
  'message:updated': (payload: { message: Message; revision?: number; reacted?: Reacted; thread?: string }) => void;
  'message:deleted': (payload: {
    conversation: string;
    message: string;
    seq: number;
    revision?: number;
    thread?: string;
  }) => void;
  /** A reply. `thread` is what the root shows now, without what belongs to one user; `revision`, that of the conversation. */
  'thread:message': (payload: { message: Message; thread: Thread; revision?: number }) => void;
  /** For users who follow the thread, except the sender: its last reply. Other participants receive `thread:message` only. */
  'thread:reply': (payload: { conversation: string; root: string; lastSeq: number }) => void;
  /** For the user's own sockets, after they have replied or read, or have followed or stopped following. */
  'thread:read': (payload: ThreadState) => void;
  /** For the user's own sockets, after they have saved a message or removed it from their list. */
  'message:saved': (payload: SavedChange) => void;
  /** For the user's own sockets, after a draft was written or, with empty content, removed. */
  'draft:changed': (payload: Draft) => void;
  /** For the user's own sockets, after a scheduled message was created, changed, sent, or removed, or has failed. */
  'scheduled:changed': (payload: { scheduled: string }) => void;
  /** Who has read a message has read it: of several seqs of a user, the highest one counts. */
  'message:read': (payload: { conversation: string; user: string; seq: number }) => void;
  /** For the user's own sockets, after they have read, or have marked messages as unread, on any device. */
  'conversation:state': (payload: ReadState) => void;
  /** With `thread`, the root of the thread that the user replies to. */
  'typing:start': (payload: { conversation: string; thread?: string; user: string; firstName: string }) => void;
  'typing:stop': (payload: { conversation: string; thread?: string; user: string }) => void;
  /** For users in the presence subscription of this socket. */
  'user:online': (payload: { user: string }) => void;
  'user:offline': (payload: { user: string; lastSeen: string }) => void;
  'conversation:new': (payload: { conversation: Conversation }) => void;
  /** One copy for all participants, as `conversation:new`; users whose abilities changed also receive `personal`. */
  'conversation:updated': (payload: { conversation: SharedConversation; personal?: PersonalConversation }) => void;
  /** For the user's own sockets. */
  'conversation:preferences': (payload: { conversation: string; preferences: Preferences }) => void;
  'conversation:deleted': (payload: { conversation: string }) => void;
  'conversation:participant_added': (payload: { conversation: string; addedUserId: string; user: UserSummary }) => void;
  /** With `left`, the user has left, and was not removed by others. */
  'conversation:participant_removed': (payload: {
    conversation: string;
    removedUserId: string;
    user: UserSummary;
    left?: true;
  }) => void;
};

/** `conversation` and `conversationId` are both accepted. */
const conversationPayload = z
  .object({ conversation: id.optional(), conversationId: id.optional() })
  .transform(({ conversation, conversationId }, context) => {
    const target = conversation ?? conversationId;
    if (target === undefined) {
      context.addIssue({ code: 'custom', message: 'A conversation is required' });
      return z.NEVER;
    }
    return { conversation: target };
  });

const typing = z.intersection(
  conversationPayload,
  z.object({ thread: id.optional().describe('The root of the thread; it is not looked up') }),
);

/**
 * Namespace `/chat`, from the client: payload schemas. Some events are for other API clients only: the web app sends
 * messages and creates conversations over HTTP, and neither joins conversations nor reports presence.
 */
export const chatClientPayloads = {
  ...renewal,
  'message:send': z.intersection(conversationPayload, z.object({ content, type: messageType, clientMessageId })),
  'message:read': z.intersection(
    conversationPayload,
    z
      .object({ message: id.optional(), seq: z.int().min(0).optional(), readRevision })
      .describe('Up to this message, this seq, or all'),
  ),
  'typing:start': typing,
  'typing:stop': typing,
  'conversation:join': conversationPayload,
  'conversation:leave': conversationPayload,
  'conversation:create': createConversationBody,
  'user:presence': z.object({ status: z.enum(['online', 'away', 'offline']) }),
  'presence:subscribe': z.object({ users: z.array(id).max(MAX_PRESENCE_SUBSCRIPTIONS) }),
};

type Send<K extends Exclude<keyof typeof chatClientPayloads, keyof RenewalEvents>, T = null> = (
  payload: z.input<(typeof chatClientPayloads)[K]>,
  ack: (response: Ack<T>) => void,
) => void;

export type ChatClientEvents = RenewalEvents & {
  'message:send': Send<'message:send', Message>;
  'message:read': Send<'message:read', { updatedCount: number; seq: number }>;
  'typing:start': Send<'typing:start'>;
  'typing:stop': Send<'typing:stop'>;
  /**
   * Participants receive all events even without joining. Acknowledges with the conversation,
   * `JOIN_PREVIEW_SIZE` of its participants, and `participantCount`.
   */
  'conversation:join': Send<'conversation:join', Conversation>;
  'conversation:leave': Send<'conversation:leave'>;
  'conversation:create': Send<'conversation:create', Conversation>;
  'user:presence': Send<'user:presence'>;
  /** Replaces the presence subscription of this socket; acknowledges with the users who are online. */
  'presence:subscribe': Send<'presence:subscribe', { online: string[] }>;
};
