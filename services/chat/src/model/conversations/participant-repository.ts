import { MAX_UNREAD_MENTIONS, type Preferences } from '@atrium/proto-events/http/chat/conversations';
import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { selectUnreadMentions } from '../messages/mention-repository.ts';
import type { ConversationRow } from './conversation-repository.ts';
import { selectIsRequired } from './member-group-repository.ts';

/** `last_read_seq` is the read position. Unread is `last_seq - last_read_seq - own_after_read`. */
type ReadState = { user_id: string; last_read_seq: number; own_after_read: number; read_revision: number };
type PreferenceColumns = Pick<ConversationRow, 'notify' | 'starred' | 'hidden' | 'section'>;
type PersonalRow = ReadState & PreferenceColumns & Pick<ConversationRow, 'is_required'>;

export async function findReadState(
  db: Queryable,
  conversationId: string,
  userId: string,
): Promise<(ReadState & { last_seq: number }) | undefined> {
  const { rows } = await db.query<ReadState & { last_seq: number }>({
    name: 'find-read-state',
    text: `select p.user_id, p.last_read_seq, p.own_after_read, p.read_revision, c.last_seq
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
    `select user_id, last_read_seq, own_after_read, read_revision, notify, starred, hidden, section,
       ${selectIsRequired('p.conversation_id', 'p.user_id')} as is_required
     from participants p where conversation_id = $1 and user_id = any($2)`,
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
  read_revision: number;
  count: number;
  total: number;
  mentions: number[] | null;
};

const UNREAD_MENTIONS = selectUnreadMentions(MAX_UNREAD_MENTIONS);

export async function listUnread(db: Queryable, userId: string, limit: number): Promise<Unread[]> {
  const { rows } = await db.query<Unread>({
    name: 'list-unread',
    text: `select c.conversation_id, c.last_seq, p.read_revision, u.count, coalesce(sum(u.count) filter (where p.notify <> 'none') over (), 0)::bigint as total,
             ${UNREAD_MENTIONS} as mentions
           from participants p join conversations c on c.conversation_id = p.conversation_id
           cross join lateral (select c.last_seq - p.last_read_seq - p.own_after_read as count) u
           where p.user_id = $1 and u.count > 0
           order by c.updated_at desc, c.conversation_id desc limit $2`,
    values: [userId, limit],
  });
  return rows;
}

export async function listMuted(db: Queryable, userId: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-muted',
    text: `select conversation_id as id from participants where user_id = $1 and notify = 'none' limit $2`,
    values: [userId, limit],
  });
  return rows.map(({ id }) => id);
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

export async function listParticipantIds(db: Queryable, conversationId: string): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>({
    name: 'list-participant-ids',
    text: 'select user_id from participants where conversation_id = $1 order by joined_at, user_id',
    values: [conversationId],
  });
  return rows.map(({ user_id }) => user_id);
}

export type ParticipantRow = { user_id: string; by_rule: boolean; is_required: boolean };

/** Lists a page of those who joined first, or the given ones. */
export async function listParticipantRows(
  db: Queryable,
  conversationId: string,
  selection: string[] | Limits,
): Promise<ParticipantRow[]> {
  const isPage = !Array.isArray(selection);
  const { rows } = await db.query<ParticipantRow>({
    name: isPage ? 'list-participant-page' : 'list-given-participants',
    text: `select p.user_id, p.by_rule, ${selectIsRequired('p.conversation_id', 'p.user_id')} as is_required
           from participants p where p.conversation_id = $1 ${isPage ? '' : 'and p.user_id = any($2)'}
           order by p.joined_at, p.user_id ${isPage ? 'limit $2 offset $3' : ''}`,
    values: [conversationId, ...(isPage ? [selection.limit, selection.offset] : [selection])],
  });
  return rows;
}

/** Counts the participants in each of the first groups with any. */
export async function countParticipantsOf(
  db: Queryable,
  conversationId: string,
  { groupIds, limit }: { groupIds: string[]; limit: number },
): Promise<ReadonlyMap<string, number>> {
  const participants = `from group_members g
    join participants p on p.conversation_id = $1 and p.user_id = g.user_id where g.group_id`;
  const { rows } = await db.query<{ group_id: string; count: number }>({
    name: 'count-participants-of-first-groups',
    text: `select group_id, (select count(*) ${participants} = first.group_id) as count from (
             select given.group_id from unnest($2::text[]) with ordinality as given (group_id, position)
             where exists (select ${participants} = given.group_id) order by given.position limit $3
           ) first`,
    values: [conversationId, groupIds, limit],
  });
  return new Map(rows.map(({ group_id, count }) => [group_id, count]));
}

type AddOptions = {
  /** Whether they are participants only as members of a group. Otherwise they stay when they leave the group. */
  byRule?: boolean;
};

/** All existing messages and replies count as read. Returns the users who are new. */
export async function insertParticipants(
  tx: Queryable,
  conversationId: string,
  userIds: string[],
  { byRule = false }: AddOptions = {},
): Promise<string[]> {
  if (!byRule)
    await tx.query(
      'update participants set by_rule = false where conversation_id = $1 and user_id = any($2) and by_rule',
      [conversationId, userIds],
    );
  const { rows } = await tx.query<{ user_id: string }>(
    `insert into participants (conversation_id, user_id, last_read_seq, read_revision, by_rule)
     select c.conversation_id, added.user_id, c.last_seq, coalesce(former.read_revision, 0), $3
     from conversations c cross join unnest($2::text[]) with ordinality as added (user_id, position)
     left join former_participants former on former.conversation_id = $1 and former.user_id = added.user_id
     where c.conversation_id = $1 order by added.position
     on conflict do nothing returning user_id`,
    [conversationId, userIds, byRule],
  );
  const addedIds = rows.map(({ user_id }) => user_id);
  if (addedIds.length > 0) await markThreadsRead(tx, conversationId, addedIds);
  return addedIds;
}

/** Threads that users followed before they left are as read as the conversation that they rejoin. */
async function markThreadsRead(tx: Queryable, conversationId: string, userIds: string[]): Promise<void> {
  await tx.query(
    `update thread_followers f set last_read_seq = t.last_seq, own_after_read = 0 from threads t
     where t.thread_id = f.thread_id and t.conversation_id = $1 and f.user_id = any($2) and f.last_read_seq < t.last_seq`,
    [conversationId, userIds],
  );
}

/** Records them as former participants. */
export async function removeParticipants(tx: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    `with removed as (
       delete from participants where conversation_id = $1 and user_id = any($2) returning user_id, read_revision
     ), recorded as (
       insert into former_participants (conversation_id, user_id, read_revision) select $1, user_id, read_revision from removed
       on conflict (conversation_id, user_id) do update set left_at = excluded.left_at, read_revision = excluded.read_revision
     ) select user_id from removed`,
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}
