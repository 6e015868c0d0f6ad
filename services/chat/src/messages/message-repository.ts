import type { OutboxRow } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** Times are strings where the row came as JSON beside its conversation. */
export type Moment = Date | string;

export type MessageRow = {
  conversation_id: string;
  seq: number;
  message_id: string;
  sender_id: string;
  content: string;
  type: string;
  client_message_id: string | null;
  created_at: Moment;
  updated_at: Moment;
  edited_at: Moment | null;
  deleted_at: Moment | null;
};

/** By name, each: a statement prepared with `*` fails on every pod of before once a migration adds a column. */
export const COLUMNS =
  'conversation_id, seq, message_id, sender_id, content, type, client_message_id, created_at, updated_at, edited_at, deleted_at';

export type NewMessage = Pick<
  MessageRow,
  'conversation_id' | 'message_id' | 'sender_id' | 'content' | 'type' | 'client_message_id'
>;

/** The not-null `sender_id` comes from the sender's own row: who was removed at this moment fails the whole statement. */
const SEND = `with repeated as (
  select ${COLUMNS} from messages where conversation_id = $1 and sender_id = $3 and client_message_id = $6
), bumped as (
  update conversations set last_seq = last_seq + 1, updated_at = now()
  where conversation_id = $1 and not exists (select from repeated)
    and exists (select from participants where conversation_id = $1 and user_id = $3)
  returning last_seq, version
), counted as (
  update participants set own_after_read = own_after_read + 1 from bumped
  where conversation_id = $1 and user_id = $3 returning user_id
), sent as (
  insert into messages (conversation_id, seq, message_id, sender_id, content, type, client_message_id)
  select $1, last_seq, $2, (select user_id from counted), $4, $5, $6 from bumped returning ${COLUMNS}
), noted as (
  insert into outbox (subject, message_id, aggregate, payload)
  select $7, $8, $9, jsonb_set($10::jsonb, '{data,seq}', to_jsonb(seq))::text from sent
)
select ${COLUMNS}, false as repeated, (select version from bumped) as version from sent
union all
select ${COLUMNS}, true as repeated, null as version from repeated where exists (
  select from participants where conversation_id = $1 and user_id = $3
)`;

/** With the version that its conversation had when it was sent, none for a repeat. */
export type SentRow = MessageRow & { repeated: boolean; version: number | null };

/**
 * Sends a message in one statement: membership, the repeat of a client's id, the next seq, the message, the sender's counter and the
 * event, together or not at all. The seq stands in the event only once it is known. Undefined for somebody who does not take part.
 */
export async function insertMessage(
  db: Queryable,
  message: NewMessage,
  event: OutboxRow,
): Promise<SentRow | undefined> {
  return send(db, { name: 'send-message', text: SEND }, { message, event });
}

async function send(
  db: Queryable,
  statement: { name: string; text: string },
  { message, event }: { message: NewMessage; event: OutboxRow },
): Promise<SentRow | undefined> {
  const { rows } = await db.query<SentRow>({
    ...statement,
    values: [
      message.conversation_id,
      message.message_id,
      message.sender_id,
      storable(message.content),
      message.type,
      message.client_message_id,
      event.subject,
      event.messageId,
      event.aggregate,
      event.payload,
    ],
  });
  return rows[0];
}

/** The message that this client's id has already made. */
export async function findSent(
  db: Queryable,
  { conversation, sender, clientMessageId }: { conversation: string; sender: string; clientMessageId: string },
): Promise<SentRow | undefined> {
  const { rows } = await db.query<SentRow>(
    `select ${COLUMNS}, true as repeated, null as version from messages
     where conversation_id = $1 and sender_id = $2 and client_message_id = $3`,
    [conversation, sender, clientMessageId],
  );
  return rows[0];
}

export type Page = { limit: number; before?: number | undefined; after?: number | undefined };

/** A message of a page, with the revision that the conversation had in that moment; null before the first. */
export type ListedRow = MessageRow & { revision: number | null };

const LISTED = `${COLUMNS}, (select max(rev) from message_changes where conversation_id = $1) as revision`;

/** Pages along the primary key, so that their plans cannot flip (architecture, "What decides speed"). */
export const PAGES = {
  after: `select ${LISTED} from messages where conversation_id = $1 and seq > $2 and seq < $3 order by seq limit $4`,
  before: `select ${LISTED} from messages where conversation_id = $1 and seq < $2 order by seq desc limit $3`,
};

/** The newest, what came before a seq, or what came after one. */
export async function listMessageRows(db: Queryable, conversationId: string, page: Page): Promise<ListedRow[]> {
  const { limit, after, before } = page;
  if (after === undefined) return listBackward(db, conversationId, { limit, before });
  const { rows } = await db.query<ListedRow>({
    name: 'messages-after',
    text: PAGES.after,
    values: [conversationId, after, before ?? Number.MAX_SAFE_INTEGER, limit],
  });
  return rows;
}

async function listBackward(db: Queryable, conversationId: string, page: Page): Promise<ListedRow[]> {
  const { rows } = await db.query<ListedRow>({
    name: 'messages-before',
    text: PAGES.before,
    values: [conversationId, page.before ?? Number.MAX_SAFE_INTEGER, page.limit],
  });
  return rows;
}

/** A message by its id, with what decides who may see and change it: the viewer's part in its conversation. */
export async function findMessage(
  db: Queryable,
  messageId: string,
  viewerId: string,
): Promise<(MessageRow & { conversation_type: string; takes_part: boolean }) | undefined> {
  const { rows } = await db.query<MessageRow & { conversation_type: string; takes_part: boolean }>(
    `select m.*, c.type as conversation_type, exists (
       select from participants p where p.conversation_id = m.conversation_id and p.user_id = $2
     ) as takes_part
     from messages m join conversations c on c.conversation_id = m.conversation_id where m.message_id = $1`,
    [messageId, viewerId],
  );
  return rows[0];
}

type Place = Pick<MessageRow, 'conversation_id' | 'seq'>;

/** Undefined when it was deleted meanwhile. */
export async function changeContent(tx: Queryable, at: Place, content: string): Promise<MessageRow | undefined> {
  const { rows } = await tx.query<MessageRow>(
    `update messages set content = $3, edited_at = now(), updated_at = now()
     where conversation_id = $1 and seq = $2 and deleted_at is null returning ${COLUMNS}`,
    [at.conversation_id, at.seq, storable(content)],
  );
  return rows[0];
}

/** PostgreSQL stores every character but this one. */
export const storable = (content: string) => content.replaceAll('\u0000', '\uFFFD');

/** Leaves a tombstone that keeps its seq and loses its content; false when it was one already. */
export async function markMessageDeleted(tx: Queryable, at: Place): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update messages set content = '', deleted_at = now(), updated_at = now()
     where conversation_id = $1 and seq = $2 and deleted_at is null`,
    [at.conversation_id, at.seq],
  );
  return rowCount === 1;
}

/** Removes a stretch of messages for good. */
export async function deleteMessages(
  tx: Queryable,
  { conversation_id, after, upTo }: { conversation_id: string; after: number; upTo: number },
): Promise<void> {
  await tx.query('delete from messages where conversation_id = $1 and seq > $2 and seq <= $3', [
    conversation_id,
    after,
    upTo,
  ]);
}

/** Those that may have web addresses, newest first; as the index of them has it. */
export async function listRowsWithLinks(
  db: Queryable,
  conversation: string,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<MessageRow[]> {
  const { rows } = await db.query<MessageRow>({
    name: 'list-links',
    text: `select ${COLUMNS} from messages
      where conversation_id = $1 and seq < $2 and content ~* '(https?://|www\\.)[^[:space:]<>"'']' and deleted_at is null
      order by seq desc limit $3`,
    values: [conversation, before ?? Number.MAX_SAFE_INTEGER, limit],
  });
  return rows;
}
