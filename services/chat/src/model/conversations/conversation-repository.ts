import { createHash } from 'node:crypto';
import { type Conversation, MAX_SHOWN_PARTICIPANTS } from '@atrium/proto-events/http/chat/conversations';
import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type AttachmentRow, LAST_MESSAGE_ATTACHMENTS } from '../messages/attachment-repository.ts';
import type { MessageRow } from '../messages/message-repository.ts';
import { type MemberGroupRow, SELECT_MEMBER_GROUPS, selectIsRequired } from './member-group-repository.ts';

/** The columns from `last_read_seq` on are the viewer's, null for non-participants. */
export type ConversationRow = {
  conversation_id: string;
  type: 'direct' | 'group' | 'project';
  title: string | null;
  description: string;
  visibility: 'private' | 'public';
  purpose: string;
  posting: 'everyone' | 'managers';
  mention_everyone: 'everyone' | 'managers';
  add_people: 'everyone' | 'managers';
  archived_at: Date | null;
  created_by: string | null;
  last_seq: number;
  created_at: Date;
  updated_at: Date;
  version: number;
  project_id: string | null;
  manager_id: string | null;
  /** Includes the manager. */
  project_member_ids: string[] | null;
  /** Ordered by time of joining, and limited. */
  participant_ids: string[];
  participant_count: number;
  last_message: MessageRow | null;
  last_files: AttachmentRow[] | null;
  /** Null before the first edit or deletion. */
  revision: number | null;
  last_read_seq: number | null;
  own_after_read: number | null;
  read_revision: number | null;
  notify: 'all' | 'mentions' | 'none' | null;
  starred: boolean | null;
  hidden: boolean | null;
  section: string | null;
  member_groups: MemberGroupRow[] | null;
  /** Whether a group of the viewer requires it. */
  is_required: boolean;
};

/** `maxParticipants` is an SQL expression. */
const columns = (maxParticipants: string) => `c.*, pc.project_id, pc.manager_id, pc.people as project_member_ids,
  me.last_read_seq, me.own_after_read, me.read_revision, me.notify, me.starred, me.hidden, me.section,
  array(
    select p.user_id from participants p where p.conversation_id = c.conversation_id
    order by p.joined_at, p.user_id limit ${maxParticipants}
  ) as participant_ids,
  (
    select to_jsonb(m) from messages m where m.conversation_id = c.conversation_id and m.seq = c.last_seq
  ) as last_message,
  ${LAST_MESSAGE_ATTACHMENTS} as last_files, ${SELECT_MEMBER_GROUPS} as member_groups,
  ${selectIsRequired('c.conversation_id', 'me.user_id')} as is_required,
  (select max(rev) from message_changes mc where mc.conversation_id = c.conversation_id) as revision`;

const PROJECT = 'left join project_conversations pc on pc.conversation_id = c.conversation_id';

export async function findConversation(
  db: Queryable,
  conversationId: string,
  viewerId: string | null,
  maxParticipants = MAX_SHOWN_PARTICIPANTS,
): Promise<ConversationRow | undefined> {
  const { rows } = await db.query<ConversationRow>({
    name: 'find-conversation-with-participants',
    text: `select ${columns('$3::bigint')} from conversations c ${PROJECT}
           left join participants me on me.conversation_id = c.conversation_id and me.user_id = $2
           where c.conversation_id = $1`,
    values: [conversationId, viewerId, maxParticipants],
  });
  return rows[0];
}

export async function listConversationRows(
  db: Queryable,
  viewerId: string,
  page: Limits & { maxParticipants: number },
) {
  const [list, count] = await Promise.all([
    db.query<ConversationRow>({
      name: 'list-conversations-with-participants',
      // Direct conversations always include both users.
      text: `select ${columns("case when c.type = 'direct' then null else $4::bigint end")} from participants me
             join conversations c on c.conversation_id = me.conversation_id ${PROJECT}
             where me.user_id = $1 order by c.updated_at desc, c.conversation_id desc limit $2 offset $3`,
      values: [viewerId, page.limit, page.offset, page.maxParticipants],
    }),
    db.query<{ total: number }>('select count(*) as total from participants where user_id = $1', [viewerId]),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

/** Serializes changes of the conversation, including new messages, until the transaction ends. */
export async function lockConversation(tx: Queryable, conversationId: string): Promise<void> {
  await tx.query('select from conversations where conversation_id = $1 for update', [conversationId]);
}

export type NewConversation = Pick<
  ConversationRow,
  'conversation_id' | 'type' | 'title' | 'description' | 'created_by'
> &
  Partial<ChannelColumns>;

type ChannelColumns = Pick<ConversationRow, 'visibility' | 'purpose' | 'posting' | 'mention_everyone' | 'add_people'>;

export async function insertConversation(tx: Queryable, conversation: NewConversation): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into conversations (conversation_id, type, title, description, created_by, visibility, purpose, posting,
       mention_everyone, add_people)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    [
      conversation.conversation_id,
      conversation.type,
      conversation.title,
      conversation.description,
      conversation.created_by,
      conversation.visibility ?? 'private',
      conversation.purpose ?? '',
      conversation.posting ?? 'everyone',
      conversation.mention_everyone ?? 'everyone',
      conversation.add_people ?? 'managers',
    ],
  );
  return rowCount === 1;
}

/** Returns the new creator, null for an empty group, or undefined if the creator stays. */
export async function replaceCreator(
  tx: Queryable,
  conversationId: string,
  removedIds: string[],
): Promise<string | null | undefined> {
  const { rows } = await tx.query<{ created_by: string | null }>(
    `update conversations set created_by = (
       select user_id from participants where conversation_id = $1 order by joined_at, user_id limit 1
     ) where conversation_id = $1 and type = 'group' and created_by = any($2) returning created_by`,
    [conversationId, removedIds],
  );
  return rows[0]?.created_by;
}

type Settings = Pick<Conversation, 'visibility' | 'purpose' | 'posting' | 'mentionEveryone' | 'addPeople' | 'archived'>;

export type ConversationFields = Partial<Settings & { title: string }>;

/** Changes the given fields, and the version. */
export async function updateConversationRow(
  tx: Queryable,
  conversationId: string,
  { title, purpose, visibility, posting, archived, mentionEveryone, addPeople }: ConversationFields,
): Promise<void> {
  await tx.query(
    `update conversations set title = coalesce($2, title), purpose = coalesce($3, purpose),
       visibility = coalesce($4, visibility), posting = coalesce($5, posting),
       archived_at = case $6::boolean when true then now() when false then null else archived_at end,
       mention_everyone = coalesce($7, mention_everyone), add_people = coalesce($8, add_people),
       version = version + 1
     where conversation_id = $1`,
    [conversationId, title, purpose, visibility, posting, archived, mentionEveryone, addPeople],
  );
}

/** Its messages are removed in the background. */
export async function deleteConversationRow(tx: Queryable, conversationId: string): Promise<void> {
  await tx.query(
    `with deleted as (delete from conversations where conversation_id = $1 returning conversation_id, last_seq)
     insert into deleted_conversations (conversation_id, last_seq) select * from deleted on conflict do nothing`,
    [conversationId],
  );
}

/** Ids have 96 bits, so collisions are negligible. */
const deriveId = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 24);

/** Symmetric, so the primary key allows one direct conversation per pair. */
export function directConversationId(userId: string, otherUserId: string): string {
  return deriveId(`direct:${[userId, otherUserId].sort().join(':')}`);
}

export function projectConversationId(projectId: string): string {
  return deriveId(`project:${projectId}`);
}
