import type { MeetingSummary } from '@atrium/proto-events/http/chat/summaries';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

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
