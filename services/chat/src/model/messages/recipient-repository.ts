import type { NoticeLevel } from '@atrium/proto-events/notices/kinds';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** A message, or a reply with the conversation of its thread, as it concerns users. */
export type NotifiedMessage = {
  message_id: string;
  seq: number;
  sender_id: string;
  content: string;
  /** Of a copy of a reply in the conversation: its thread, whose followers are notified of the reply. */
  thread_id: string | null;
  conversation_id: string;
  conversation_type: string;
  title: string | null;
};

/** Finds a message that is not deleted in its conversation or, for a reply, in its thread. */
export async function findNotifiedMessage(
  db: Queryable,
  streamId: string,
  seq: number,
): Promise<NotifiedMessage | undefined> {
  const { rows } = await db.query<NotifiedMessage>({
    name: 'find-notified-message',
    text: `select m.message_id, m.seq, m.sender_id, m.content, m.thread_id, c.conversation_id, c.type as conversation_type, c.title
           from messages m join conversations c on c.conversation_id = coalesce(m.parent_id, m.conversation_id)
           where m.conversation_id = $1 and m.seq = $2 and m.deleted_at is null`,
    values: [streamId, seq],
  });
  return rows[0];
}

/** Lists the members of any of the groups. */
export async function listGroupMembers(db: Queryable, groupIds: readonly string[]): Promise<string[]> {
  if (groupIds.length === 0) return [];
  const { rows } = await db.query<{ user_id: string }>(
    'select distinct user_id from group_members where group_id = any($1)',
    [groupIds],
  );
  return rows.map(({ user_id }) => user_id);
}

/** Selects those of the users who are in the conversation, and want to be notified of every message in it. */
export async function filterNotifiedOfAll(
  db: Queryable,
  conversationId: string,
  userIds: readonly string[],
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const { rows } = await db.query<{ user_id: string }>({
    name: 'filter-notified-of-all',
    text: "select user_id from participants where conversation_id = $1 and user_id = any($2) and notify = 'all'",
    values: [conversationId, userIds],
  });
  return rows.map(({ user_id }) => user_id);
}

export type Recipient = { user_id: string; notify: NoticeLevel };

/** It may have been deleted since it was found: a mention of thousands is claimed in many transactions. */
const isNotDeleted = (stream: string, seq: string) =>
  `exists (select from messages m where m.conversation_id = ${stream} and m.seq = ${seq} and m.deleted_at is null)`;

/**
 * Users who have read the message are notified of an edit until they read the next message. Locks in one order, because
 * messages to the same users are processed at the same time.
 */
const buildClaim = (members: string, id: string, condition: string) => `with unread as (
    select f.user_id, p.notify from ${members} f
    join participants p on p.conversation_id = $1 and p.user_id = f.user_id
    where f.${id} = $2 and f.user_id = any($3) and f.user_id <> $4 and (f.last_read_seq < $5 or $6)
      and p.notify <> 'none' and ${isNotDeleted('$2', '$5')} ${condition}
    order by f.user_id for no key update of f
  ), notified as (
    update ${members} f set notified_seq = greatest(f.notified_seq, f.last_read_seq + 1, $5) from unread
    where f.${id} = $2 and f.user_id = unread.user_id
  )
  select user_id, notify from unread order by user_id`;

const CLAIM_PARTICIPANTS = buildClaim(
  'participants',
  'conversation_id',
  'and not exists (select from thread_followers t where t.thread_id = $7 and t.user_id = f.user_id)',
);
const CLAIM_FOLLOWERS = buildClaim('thread_followers', 'thread_id', '');

type ClaimParams = {
  rootId: string | undefined;
  userIds: readonly string[];
  /** Also selects those who have read the message before it was edited. */
  isEdit: boolean;
};

/**
 * Selects those of the users who have not read a message, and records that they are notified of it, so that reading it
 * is published. Of a reply, selects only followers of the thread.
 */
export async function claimRecipients(
  tx: Queryable,
  { conversation_id, sender_id, seq, thread_id }: NotifiedMessage,
  { rootId, userIds, isEdit }: ClaimParams,
): Promise<Recipient[]> {
  const { rows } = await tx.query<Recipient>({
    ...(rootId === undefined
      ? { name: 'claim-participants', text: CLAIM_PARTICIPANTS }
      : { name: 'claim-followers', text: CLAIM_FOLLOWERS }),
    values: [
      conversation_id,
      rootId ?? conversation_id,
      userIds,
      sender_id,
      seq,
      isEdit,
      ...(rootId === undefined ? [thread_id] : []),
    ],
  });
  return rows;
}

/**
 * Selects those of the users who are in the conversation, but do not follow the thread. They have no read position in it.
 * If the conversation shows the reply, they are notified of that copy instead.
 */
export async function selectOutsideThread(
  tx: Queryable,
  { conversation_id, message_id, sender_id, seq }: NotifiedMessage,
  { rootId, userIds }: { rootId: string; userIds: readonly string[] },
): Promise<Recipient[]> {
  if (userIds.length === 0) return [];
  const { rows } = await tx.query<Recipient>({
    name: 'select-outside-thread',
    text: `select p.user_id, p.notify from participants p
           where p.conversation_id = $1 and p.user_id = any($2) and p.user_id <> $3 and p.notify <> 'none'
             and not exists (select from thread_followers f where f.thread_id = $4 and f.user_id = p.user_id)
             and not exists (select from messages m where m.conversation_id = $1 and m.message_id = $5)
             and ${isNotDeleted('$4', '$6')}
           order by p.user_id`,
    values: [conversation_id, userIds, sender_id, rootId, message_id, seq],
  });
  return rows;
}

/** Returns the level of a participant; undefined for others. */
export async function findLevel(
  tx: Queryable,
  conversationId: string,
  userId: string,
): Promise<NoticeLevel | undefined> {
  const { rows } = await tx.query<{ notify: NoticeLevel }>(
    'select notify from participants where conversation_id = $1 and user_id = $2',
    [conversationId, userId],
  );
  return rows[0]?.notify;
}
