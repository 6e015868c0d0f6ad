import type { OutboxRow } from '@atrium/service-kit/messaging/outbox';
import { isNotNullViolation, isUniqueViolation, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { isSentDraft, REMOVED_VERSION } from './draft-repository.ts';
import { mentionedUsers } from './mentioned-users.ts';
import { COLUMNS, type MessageRow, replaceNullCharacters } from './message-repository.ts';

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
