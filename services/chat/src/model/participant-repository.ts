import { MAX_UNREAD_MENTIONS, type Preferences } from '@atrium/proto-events/http/chat';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { ConversationRow } from './conversation-repository.ts';
import { selectUnreadMentions } from './mention-repository.ts';

/** `last_read_seq` is the read position. Unread is `last_seq - last_read_seq - own_after_read`. */
type ReadState = { user_id: string; last_read_seq: number; own_after_read: number };
type PreferenceColumns = Pick<ConversationRow, 'notify' | 'starred' | 'hidden' | 'section'>;
type PersonalRow = ReadState & PreferenceColumns;

export async function findReadState(
  db: Queryable,
  conversationId: string,
  userId: string,
): Promise<(ReadState & { last_seq: number }) | undefined> {
  const { rows } = await db.query<ReadState & { last_seq: number }>({
    name: 'find-read-state',
    text: `select p.user_id, p.last_read_seq, p.own_after_read, c.last_seq
           from participants p join conversations c on c.conversation_id = p.conversation_id
           where p.conversation_id = $1 and p.user_id = $2`,
    values: [conversationId, userId],
  });
  return rows[0];
}

export async function listPersonalRows(
  db: Queryable,
  conversationId: string,
  userIds: string[],
): Promise<PersonalRow[]> {
  const { rows } = await db.query<PersonalRow>(
    `select user_id, last_read_seq, own_after_read, notify, starred, hidden, section from participants
     where conversation_id = $1 and user_id = any($2)`,
    [conversationId, userIds],
  );
  return rows;
}

/** Keeps what is not passed; null removes the section. Returns undefined for users who are not participants. */
export async function updatePreferences(
  db: Queryable,
  { conversationId, userId }: { conversationId: string; userId: string },
  { notify, starred, hidden, section }: { [Name in keyof Preferences]?: Preferences[Name] | undefined },
): Promise<PreferenceColumns | undefined> {
  const { rows } = await db.query<PreferenceColumns>(
    `update participants set notify = coalesce($3, notify), starred = coalesce($4, starred),
       hidden = coalesce($5, hidden), section = case when $6 then nullif($7, '') else section end
     where conversation_id = $1 and user_id = $2 returning notify, starred, hidden, section`,
    [conversationId, userId, notify, starred, hidden, section !== undefined, section],
  );
  return rows[0];
}

export type Unread = {
  conversation_id: string;
  last_seq: number;
  count: number;
  total: number;
  mentions: number[] | null;
};

const UNREAD_MENTIONS = selectUnreadMentions(MAX_UNREAD_MENTIONS);

export async function listUnread(db: Queryable, userId: string, limit: number): Promise<Unread[]> {
  const { rows } = await db.query<Unread>({
    name: 'list-unread',
    text: `select c.conversation_id, c.last_seq, u.count, (sum(u.count) over ())::bigint as total,
             ${UNREAD_MENTIONS} as mentions
           from participants p join conversations c on c.conversation_id = p.conversation_id
           cross join lateral (select c.last_seq - p.last_read_seq - p.own_after_read as count) u
           where p.user_id = $1 and u.count > 0
           order by c.updated_at desc, c.conversation_id desc limit $2`,
    values: [userId, limit],
  });
  return rows;
}

export async function filterParticipants(db: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>(
    'select user_id from participants where conversation_id = $1 and user_id = any($2)',
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

export async function listConversationIds(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-conversation-ids',
    text: 'select conversation_id as id from participants where user_id = $1',
    values: [userId],
  });
  return rows.map(({ id }) => id);
}

/** All existing messages count as read. Returns the users who are new. */
export async function insertParticipants(tx: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    `insert into participants (conversation_id, user_id, last_read_seq)
     select c.conversation_id, added.user_id, c.last_seq
     from conversations c, unnest($2::text[]) with ordinality as added (user_id, position)
     where c.conversation_id = $1 order by added.position
     on conflict do nothing returning user_id`,
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

export async function removeParticipants(tx: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    'delete from participants where conversation_id = $1 and user_id = any($2) returning user_id',
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}
