import type { MeetingSummary } from '@atrium/proto-events/http/chat/summaries';
import type { OutboxRow } from '@atrium/service-kit/messaging/outbox';
import { isNotNullViolation, isUniqueViolation, type Queryable } from '@atrium/service-kit/postgres/postgres';

import { isSentDraft, REMOVED_VERSION } from './draft-repository.ts';
import { mentionedUsers } from './mentioned-users.ts';

/** A string if the row was selected as JSON with its conversation. */
export type Timestamp = Date | string;

export type MessageRow = {
  conversation_id: string;
  seq: number;
  message_id: string;
  sender_id: string;
  content: string;
  client_message_id: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  edited_at: Timestamp | null;
  deleted_at: Timestamp | null;
  reaction_count: number;
  /** Of a reply, the conversation of its thread, whose id is its `conversation_id`. */
  parent_id: string | null;
  /** Of a copy of a reply in the conversation, its thread. */
  thread_id: string | null;
  /** Increases with each change of the replies; 0 without any. */
  thread_version: number;
  pinned_at: Timestamp | null;
  pinned_by: string | null;
  /** The ids of the tasks that were created from it. */
  tasks: string[];
  summary: MeetingSummary | null;
  forwarded: StoredForward | null;
  poll: StoredPoll | null;
};

/** Avoids `*`, because adding a column would invalidate the prepared statements of running pods. */
export const COLUMNS =
  'conversation_id, seq, message_id, sender_id, content, client_message_id, created_at, updated_at, edited_at, deleted_at, reaction_count, parent_id, thread_id, thread_version, pinned_at, pinned_by, tasks, summary, forwarded, poll';

/** What a message forwards, as of then. */
export type StoredForward = {
  message: string;
  conversation: string;
  sender: string;
  content: string;
  createdAt: string;
};

export type StoredPoll = {
  question: string;
  options: { id: string; text: string }[];
  multiple: boolean;
  anonymous: boolean;
  closedAt: string | null;
};

export type NewMessage = Pick<
  MessageRow,
  'conversation_id' | 'message_id' | 'sender_id' | 'content' | 'client_message_id'
> & {
  thread_id?: string;
  /** Whether the sender can write where only managers can. */
  is_manager?: boolean;
  /** Whether it is sent from the composer, whose draft is removed with it. */
  removes_draft?: boolean;
};

const SENT_ONCE_INDEX = 'messages_client_message_id';

type Tables = {
  streams: string;
  members: string;
  id: string;
  changes: string;
  /** A condition besides the membership of the sender. */
  writable: string;
  version: string;
  parent: string;
};

const CONVERSATIONS: Tables = {
  streams: 'conversations',
  members: 'participants',
  id: 'conversation_id',
  changes: '',
  writable: "and archived_at is null and (posting = 'everyone' or created_by = $3 or $13)",
  version: 'version',
  parent: 'null::text',
};

const THREADS: Tables = {
  streams: 'threads',
  members: 'thread_followers',
  id: 'thread_id',
  changes: ', reply_count = reply_count + 1, repliers = (array_prepend($3, array_remove(repliers, $3)))[1:3]',
  writable: '',
  version: 'null::integer',
  parent: 'conversation_id',
};

/**
 * `sender_id` is read from the participant row. If that was removed concurrently, the not-null constraint fails. Clients
 * cannot send `system` messages.
 */
const buildSend = ({ streams, members, id, changes, writable, version, parent }: Tables) => `with existing as (
  select ${COLUMNS} from messages where conversation_id = $1 and sender_id = $3 and client_message_id = $5
), bumped as (
  update ${streams} set last_seq = last_seq + 1, updated_at = now()${changes}
  where ${id} = $1 and not exists (select from existing)
    and exists (select from ${members} where ${id} = $1 and user_id = $3) ${writable}
  returning last_seq, ${version} as version, ${parent} as parent_id
), counted as (
  update ${members} set own_after_read = own_after_read + 1 from bumped
  where ${id} = $1 and user_id = $3
  returning user_id, last_seq - last_read_seq - own_after_read as unread_count, read_revision
), sent as (
  insert into messages (conversation_id, seq, message_id, sender_id, content, type, client_message_id, parent_id, thread_id)
  select $1, last_seq, $2, (select user_id from counted), $4, 'text', $5, parent_id, $10 from bumped returning ${COLUMNS}
), mentioned as (
  insert into mentions (conversation_id, user_id, seq, sender_id) select $1, unnest($11::text[]), last_seq, $3 from bumped
), queued as (
  insert into outbox (subject, message_id, aggregate, payload)
  select $6, $7, $8, jsonb_set($9::jsonb, '{data,seq}', to_jsonb(seq))::text from sent
), undrafted as (
  delete from drafts where user_id = $3 and log_id = $1 and ${isSentDraft('$4')} and $12 and exists (select from bumped)
  returning ${REMOVED_VERSION} as version
)
select ${COLUMNS}, false as is_retry, (select version from bumped) as conversation_version,
  (select unread_count from counted) as unread_count, (select read_revision from counted) as read_revision,
  (select version from undrafted) as draft_version
from sent
union all
select ${COLUMNS}, true as is_retry, null as conversation_version, null as unread_count, null as read_revision,
  null as draft_version
from existing where exists (
  select from ${members} where ${id} = $1 and user_id = $3
)`;

const SEND = buildSend(CONVERSATIONS);
const REPLY = buildSend(THREADS);

export type SentRow = MessageRow & {
  /** An earlier request with the same `clientMessageId` sent the message. */
  is_retry: boolean;
  /** The version when the message was sent; null for a retry. */
  conversation_version: number | null;
  /** The sender's, including messages that they have not read; null for a retry. */
  unread_count: number | null;
  read_revision: number | null;
  /** The version of the draft that was removed with it. */
  draft_version?: number | null;
};

/** Returns what a retry of the request that sent the message returns. */
export const asRetry = (message: MessageRow): SentRow => ({
  ...message,
  is_retry: true,
  conversation_version: null,
  unread_count: null,
  read_revision: null,
});

/** Returns undefined if the sender is not a participant, or cannot write. Call it in `resolveSendConflicts`. */
export const insertMessage = (db: Queryable, message: NewMessage, event: OutboxRow) =>
  insert(db, { name: 'send-message', text: SEND }, { message, event }, message.is_manager ?? false);

/** Inserts a message in a thread, which the sender has to follow. */
export const insertReply = (db: Queryable, message: NewMessage, event: OutboxRow) =>
  insert(db, { name: 'send-reply', text: REPLY }, { message, event });

async function insert(
  db: Queryable,
  statement: { name: string; text: string },
  { message, event }: { message: NewMessage; event: OutboxRow },
  ...otherValues: unknown[]
): Promise<SentRow | undefined> {
  const { rows } = await db.query<SentRow>({
    ...statement,
    values: [
      message.conversation_id,
      message.message_id,
      message.sender_id,
      replaceNullCharacters(message.content),
      message.client_message_id,
      event.subject,
      event.messageId,
      event.aggregate,
      event.payload,
      message.thread_id ?? null,
      mentionedUsers(message.content),
      message.removes_draft ?? false,
      ...otherValues,
    ],
  });
  return rows[0];
}

/** Returns undefined if the sender was removed concurrently. */
export async function resolveSendConflicts<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    // A concurrent send with the same `clientMessageId` has won: the second attempt finds its message.
    if (isUniqueViolation(error, SENT_ONCE_INDEX)) return send();
    // The sender's participant row was removed after it was checked.
    if (isNotNullViolation(error, 'sender_id')) return undefined;
    throw error;
  }
}

export async function findSentMessage(
  db: Queryable,
  { conversation, sender, clientMessageId }: { conversation: string; sender: string; clientMessageId: string },
): Promise<SentRow | undefined> {
  const { rows } = await db.query<MessageRow>(
    `select ${COLUMNS} from messages where conversation_id = $1 and sender_id = $2 and client_message_id = $3`,
    [conversation, sender, clientMessageId],
  );
  return rows[0] && asRetry(rows[0]);
}

export type FoundMessage = MessageRow & {
  conversation_type: string;
  title: string | null;
  is_archived: boolean;
  is_participant: boolean;
};

/** The viewer of what is presented to nobody in particular, who is not a participant of any conversation. */
export const NO_VIEWER = '';

/** Finds a message in its conversation or, for a reply, in its thread. */
export async function findMessage(
  db: Queryable,
  messageId: string,
  viewerId: string,
): Promise<FoundMessage | undefined> {
  const { rows } = await db.query<FoundMessage>(
    `select m.*, c.type as conversation_type, c.title, c.archived_at is not null as is_archived, exists (
       select from participants p where p.conversation_id = c.conversation_id and p.user_id = $2
     ) as is_participant
     from messages m join conversations c on c.conversation_id = coalesce(m.parent_id, m.conversation_id)
     where m.message_id = $1 order by m.parent_id nulls last limit 1`,
    [messageId, viewerId],
  );
  return rows[0];
}

type MessageKey = Pick<MessageRow, 'conversation_id' | 'seq'>;
type Parent = Pick<MessageRow, 'conversation_id' | 'parent_id'>;
type MessageId = Parent & Pick<MessageRow, 'message_id'>;

/** Returns the conversation of a message or, for a reply, that of its thread. */
export const conversationOf = ({ conversation_id, parent_id }: Parent) => parent_id ?? conversation_id;

/** Of two copies of a message, clients show the one that was updated later, to the millisecond. */
export const UPDATED_LATER = "updated_at = greatest(clock_timestamp(), updated_at + interval '1 ms')";

/** PostgreSQL cannot store this character. */
export const replaceNullCharacters = (content: string) => content.replaceAll('\u0000', '\uFFFD');

/**
 * Updates a message that is not deleted; a reply that its conversation shows, too, is two rows. `changes` are assignments
 * with the values from $3 on. Returns the reply before its copy.
 */
export async function updateMessage(
  tx: Queryable,
  message: MessageId,
  changes: string,
  ...values: unknown[]
): Promise<MessageRow[]> {
  const { rows } = await tx.query<MessageRow>(
    `update messages set ${changes}, ${UPDATED_LATER}
     where message_id = $1 and conversation_id = any($2) and deleted_at is null returning ${COLUMNS}`,
    [message.message_id, [message.conversation_id, conversationOf(message)], ...values],
  );
  return rows.toSorted((a, b) => Number(b.parent_id !== null) - Number(a.parent_id !== null));
}

export const changeContent = (tx: Queryable, message: MessageId, content: string) =>
  updateMessage(tx, message, 'content = $3, summary = null, edited_at = now()', replaceNullCharacters(content));

export const markMessageDeleted = (tx: Queryable, message: MessageId) =>
  updateMessage(
    tx,
    message,
    "content = '', reaction_count = 0, pinned_at = null, pinned_by = null, tasks = '{}', summary = null, forwarded = null, poll = null, deleted_at = now()",
  );

export const changeReactionCount = (tx: Queryable, message: MessageId, change: 1 | -1) =>
  updateMessage(tx, message, 'reaction_count = reaction_count + $3', change);

/** Returns the revision that a trigger assigned, or undefined if the conversation was deleted concurrently. */
export async function findRevision(tx: Queryable, { conversation_id, seq }: MessageKey): Promise<number | undefined> {
  const { rows } = await tx.query<{ rev: number }>(
    'select rev from message_changes where conversation_id = $1 and seq = $2',
    [conversation_id, seq],
  );
  return rows[0]?.rev;
}
