import { z } from 'zod';
import { id } from './fields.ts';
import type { Conversation, PersonalConversation, SharedConversation } from './http/chat.ts';
import { createConversationBody } from './http/chat.ts';
import type { Message } from './http/chat-messages.ts';
import { clientMessageId, content, messageType } from './http/chat-messages.ts';
import type { UserSummary } from './people.ts';
import { ITEM_TOPICS, LIST_TOPICS, MAX_TOPICS } from './topics.ts';

/** Connect error of a refused socket (decisions, section 7). */
export const AUTHENTICATION_ERROR = 'Authentication error';

/** Connect error of a person who has too many sockets already: wait and try again. */
export const TOO_MANY_CONNECTIONS = 'Too many connections';

/** Sockets that one person may have in each namespace, on all devices together. */
export const MAX_SOCKETS = 20;

/** People whose presence one socket may show at a time. */
export const MAX_PRESENCE_SUBSCRIPTIONS = 500;

/** How many of its people the answer to `conversation:join` has, who came first. */
export const JOIN_PREVIEW_SIZE = 6;

/** How many participants a broadcast conversation carries, longest-standing first. */
export const BROADCAST_PARTICIPANTS = 6;

/** Answer to every event a client sends (decisions, section 7). */
export type Ack<T = null> = { ok: true; data: T } | { ok: false; error: { code: string; message: string } };

/** One thing that changed, ids only: the browser asks again over HTTP, which checks permission again. */
export type Change = {
  resource:
    | 'user'
    | 'department'
    | 'project'
    | 'task'
    | 'meeting'
    | 'room'
    | 'document'
    | 'conversation'
    | 'message'
    | 'notification'
    | 'invitation'
    | 'session';
  id: string;
  action: 'created' | 'updated' | 'deleted';
  /** Of the resource; for `message` the seq within the conversation that `id` names. */
  version: number;
  /** Of messages that were said one after the other, the seq of the first; `version` is that of the last. Absent where it is one. */
  from?: number;
  /** Of a `message` that was edited or deleted, the revision of its conversation. */
  revision?: number;
  /** Where it belongs: the project of a task, a document or a meeting; `null`: to none. Absent where that says nothing. */
  scope?: { project: string | null };
  /** Which fields; absent where they are not known. */
  changed?: string[];
  /** Of a meeting: whoever hears it is not invited, and may see it as an administrator. Absent where it is theirs. */
  asAdmin?: true;
  /** Of a task or a project, what its status is now. */
  status?: string;
};

/** What a browser shows, and so wants to be told of. */
export const topic = z.union([z.enum(LIST_TOPICS), z.templateLiteral([z.enum(ITEM_TOPICS), ':', id])]);
export type Topic = z.output<typeof topic>;

/** A change that was told before this, with how long ago in milliseconds: an answer to a question of afterwards has it already. */
export type ReplayedChange = Change & { ageMs: number };

/** Namespace `/live`: what changed of what this person may see. */
export type LiveServerEvents = {
  /**
   * All that was told up to `position` has come to this socket before. `minRefetchIntervalMs`: how long a browser has to leave between two questions for
   * lists of everything (`WORKSPACE_TOPICS`), where so many show them that it is more than `MIN_REFETCH_INTERVAL_MS`.
   */
  changed: (payload: { changes: Change[]; position?: string; minRefetchIntervalMs?: number }) => void;
  /** The same where nothing has been told for long. */
  position: (payload: { position: string }) => void;
  /** Changes and messages may not have come to this socket: ask again for what is on the screen, as after a reconnect. May come more than once. */
  resync: () => void;
};

/** What either namespace takes from the client beside its own events: a fresh token of the same person and session. */
const renewal = { 'auth:refresh': z.object({ token: z.string().max(4_000) }) };

type RenewalEvents = {
  /**
   * A socket is closed by the server when its token expires ("io server disconnect"). Whoever presents a fresh token before keeps it, and is
   * told until when, in milliseconds since 1970. Refused with `unauthorized` for a token that is not good or another person's or session's.
   */
  'auth:refresh': (payload: { token: string }, ack: (answer: Ack<{ expiresAt: number }>) => void) => void;
};

/** Namespace `/live`, from the client: what each event's payload must be. */
export const liveClientPayloads = {
  ...renewal,
  subscribe: z.object({
    topics: z.array(topic).max(MAX_TOPICS),
    afterPosition: z.string().max(500).optional(),
    maxAgeMs: z.number().min(0).optional(),
  }),
};

/** Namespace `/live`, from the client, each with an acknowledgement. */
export type LiveClientEvents = RenewalEvents & {
  /**
   * From now on this socket is told of these topics and of no others; until the first time it is told of all. The answer has everything
   * that was told of them after the position `since`, or, of whoever has none yet, in the last `maxAgeMs` milliseconds; null where that is
   * too long ago, or neither was given: ask for all of it then.
   * Of each topic a person is told what they may know, which may be nothing. `minRefetchIntervalMs` as in `changed`.
   */
  subscribe: (
    payload: z.input<typeof liveClientPayloads.subscribe>,
    ack: (answer: Ack<{ position: string; changes: ReplayedChange[] | null; minRefetchIntervalMs?: number }>) => void,
  ) => void;
};

/** Namespace `/chat`, from the server. */
export type ChatServerEvents = {
  'message:new': (payload: { message: Message }) => void;
  /** `revision`: that of the conversation with this change. */
  'message:updated': (payload: { message: Message; revision?: number }) => void;
  'message:deleted': (payload: { conversation: string; message: string; seq: number; revision?: number }) => void;
  'message:read': (payload: { conversation: string; user: string; seq: number }) => void;
  'typing:start': (payload: { conversation: string; user: string; firstName: string }) => void;
  'typing:stop': (payload: { conversation: string; user: string }) => void;
  /** Of those whom this socket has named. */
  'user:online': (payload: { user: string }) => void;
  'user:offline': (payload: { user: string; lastSeen: string }) => void;
  /** With at most `BROADCAST_PARTICIPANTS` participants. */
  'conversation:new': (payload: { conversation: Conversation }) => void;
  /** One copy for all participants, as `conversation:new`; a user whose abilities changed is sent `personal` as well. */
  'conversation:updated': (payload: { conversation: SharedConversation; personal?: PersonalConversation }) => void;
  'conversation:deleted': (payload: { conversation: string }) => void;
  'conversation:participant_added': (payload: { conversation: string; addedUserId: string; user: UserSummary }) => void;
  'conversation:participant_removed': (payload: {
    conversation: string;
    removedUserId: string;
    user: UserSummary;
  }) => void;
};

/** `conversation` and `conversationId` are both accepted (decisions, section 7). */
const named = z
  .object({ conversation: id.optional(), conversationId: id.optional() })
  .transform(({ conversation, conversationId }, context) => {
    const found = conversation ?? conversationId;
    if (found === undefined) {
      context.addIssue({ code: 'custom', message: 'A conversation is required' });
      return z.NEVER;
    }
    return { conversation: found };
  });

/** Namespace `/chat`, from the client: what each event's payload must be. */
export const chatClientPayloads = {
  ...renewal,
  'message:send': z.intersection(named, z.object({ content, type: messageType, clientMessageId })),
  'message:read': z.intersection(
    named,
    z
      .object({ message: id.optional(), seq: z.int().min(0).optional() })
      .describe('Up to this message, or this seq, or all'),
  ),
  'typing:start': named,
  'typing:stop': named,
  'conversation:join': named,
  'conversation:leave': named,
  'conversation:create': createConversationBody,
  'user:presence': z.object({ status: z.enum(['online', 'away', 'offline']) }),
  'presence:subscribe': z.object({ users: z.array(id).max(MAX_PRESENCE_SUBSCRIPTIONS) }),
};

type Send<K extends Exclude<keyof typeof chatClientPayloads, keyof RenewalEvents>, T = null> = (
  payload: z.input<(typeof chatClientPayloads)[K]>,
  ack: (answer: Ack<T>) => void,
) => void;

/** Namespace `/chat`, from the client, each with an acknowledgement. */
export type ChatClientEvents = RenewalEvents & {
  'message:send': Send<'message:send', Message>;
  'message:read': Send<'message:read', { updatedCount: number; seq: number }>;
  'typing:start': Send<'typing:start'>;
  'typing:stop': Send<'typing:stop'>;
  /**
   * Whoever takes part hears everything without it. Answers the conversation as a list has it: `JOINED_PEOPLE` of its people, by name and
   * picture alone, beside `participantCount`.
   */
  'conversation:join': Send<'conversation:join', Conversation>;
  'conversation:leave': Send<'conversation:leave'>;
  'conversation:create': Send<'conversation:create', Conversation>;
  'user:presence': Send<'user:presence'>;
  /** These people are shown from now on, and no others; answers who of them is online. */
  'presence:subscribe': Send<'presence:subscribe', { online: string[] }>;
};
