import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { MemberChange } from '../directory-copy.ts';

export type MemberGroupRow = { type: 'department' | 'project'; group_id: string; required: boolean };

/** Selects the member groups of conversation `c` as JSON, null without any. */
export const SELECT_MEMBER_GROUPS = `(
  select json_agg(json_build_object('type', r.type, 'group_id', r.group_id, 'required', r.required)
    order by r.added_at, r.group_id)
  from member_groups r where r.conversation_id = c.conversation_id
)`;

/** Whether a user expression is in a group that requires the conversation. */
export const selectIsRequired = (conversation: string, user: string) => `exists (
  select from member_groups r join group_members g on g.group_id = r.group_id and g.user_id = ${user}
  where r.conversation_id = ${conversation} and r.required
)`;

/** The members of its groups, except those who left; of a required group, also those. */
const MEMBERS = `select g.user_id from member_groups r join group_members g on g.group_id = r.group_id
  where r.conversation_id = $1
  and (r.required or not exists (select from left_members l where l.conversation_id = $1 and l.user_id = g.user_id))`;

export async function saveMemberGroup(
  tx: Queryable,
  conversationId: string,
  { type, group_id, required }: MemberGroupRow,
): Promise<void> {
  await tx.query(
    `insert into member_groups (conversation_id, type, group_id, required) values ($1, $2, $3, $4)
     on conflict (conversation_id, group_id) do update set required = excluded.required`,
    [conversationId, type, group_id, required],
  );
}

export async function deleteMemberGroup(tx: Queryable, conversationId: string, groupId: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from member_groups where conversation_id = $1 and group_id = $2', [
    conversationId,
    groupId,
  ]);
  return rowCount === 1;
}

export async function listConversationsOfGroup(db: Queryable, groupId: string): Promise<string[]> {
  const { rows } = await db.query<{ conversation_id: string }>(
    'select conversation_id from member_groups where group_id = $1 order by conversation_id',
    [groupId],
  );
  return rows.map(({ conversation_id }) => conversation_id);
}

/** Lists the departments and projects of a user. */
export async function listGroupsOf(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ group_id: string }>({
    name: 'list-groups-of-user',
    text: 'select group_id from group_members where user_id = $1 order by group_id',
    values: [userId],
  });
  return rows.map(({ group_id }) => group_id);
}

/** Lets members of a group who have left be added again. */
export async function deleteLeftMembersOf(tx: Queryable, conversationId: string, groupId: string): Promise<void> {
  await tx.query(
    `delete from left_members l using group_members g
     where l.conversation_id = $1 and g.group_id = $2 and g.user_id = l.user_id`,
    [conversationId, groupId],
  );
}

export async function deleteLeftMembers(tx: Queryable, conversationId: string, userIds: string[]): Promise<void> {
  await tx.query('delete from left_members where conversation_id = $1 and user_id = any($2)', [
    conversationId,
    userIds,
  ]);
}

/** Prevents a user who leaves from being added again, if they are in one of the groups. */
export async function recordLeft(tx: Queryable, conversationId: string, userId: string): Promise<void> {
  await tx.query(
    `insert into left_members (conversation_id, user_id) select $1, $2
     where $2 in (${MEMBERS}) on conflict do nothing`,
    [conversationId, userId],
  );
}

export async function isRequired(tx: Queryable, conversationId: string, userId: string): Promise<boolean> {
  const { rows } = await tx.query<{ is_required: boolean }>(`select ${selectIsRequired('$1', '$2')} as is_required`, [
    conversationId,
    userId,
  ]);
  return rows[0]?.is_required ?? false;
}

const IS_FORMER = `p.conversation_id = $1 and p.by_rule
  and not exists (select from (${MEMBERS}) m where m.user_id = p.user_id)`;

export async function listMissingMembers(db: Queryable, conversationId: string): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>(
    `select distinct m.user_id from (${MEMBERS}) m
     where not exists (select from participants p where p.conversation_id = $1 and p.user_id = m.user_id)
     order by m.user_id`,
    [conversationId],
  );
  return rows.map(({ user_id }) => user_id);
}

/** Lists participants who were members. */
export async function listFormerMembers(db: Queryable, conversationId: string): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>(
    `select p.user_id from participants p where ${IS_FORMER} order by p.user_id`,
    [conversationId],
  );
  return rows.map(({ user_id }) => user_id);
}

export async function filterMembers(tx: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    `select distinct m.user_id from (${MEMBERS}) m where m.user_id = any($2) order by m.user_id`,
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

export async function filterFormerMembers(tx: Queryable, conversationId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    `select p.user_id from participants p where ${IS_FORMER} and p.user_id = any($2)`,
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

/** Lets the participants of a conversation be compared with its groups. */
export async function insertSync(
  tx: Queryable,
  conversationId: string,
  userIds: readonly string[] = [],
): Promise<void> {
  await tx.query('insert into member_syncs (conversation_id, user_ids) values ($1, $2)', [conversationId, userIds]);
}

/** The same for all conversations of some groups whose members have changed. */
export async function insertSyncsOfGroups(tx: Queryable, changes: readonly MemberChange[]): Promise<void> {
  // A group that is being added is either seen here, or sees the changed members.
  await tx.query('lock table member_groups in share mode');
  await tx.query(
    `insert into member_syncs (conversation_id, user_ids)
     select r.conversation_id, array_agg(distinct c.user_id) from member_groups r
     join unnest($1::text[], $2::text[]) as c (group_id, user_id) on c.group_id = r.group_id
     group by r.conversation_id`,
    [changes.map(({ groupId }) => groupId), changes.map(({ userId }) => userId)],
  );
}

/** Lists those of some users who are in the conversation, if a group requires it. */
export async function listPossiblyRequired(
  db: Queryable,
  conversationId: string,
  userIds: string[],
): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>(
    `select user_id from participants where conversation_id = $1 and user_id = any($2)
     and exists (select from member_groups where conversation_id = $1 and required)`,
    [conversationId, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

type Syncs = { conversationId: string; ids: number[]; userIds: string[] };

/** Finds those of the conversation that has waited longest. */
export async function findSyncs(db: Queryable): Promise<Syncs | undefined> {
  const { rows } = await db.query<Syncs>(
    `select conversation_id as "conversationId", json_agg(distinct id) as ids,
       coalesce(json_agg(distinct user_id) filter (where user_id is not null), '[]') as "userIds"
     from member_syncs left join unnest(user_ids) as user_id on true
     where conversation_id = (select conversation_id from member_syncs order by id limit 1) group by conversation_id`,
  );
  return rows[0];
}

export async function deleteSyncs(db: Queryable, ids: number[]): Promise<void> {
  await db.query('delete from member_syncs where id = any($1)', [ids]);
}
