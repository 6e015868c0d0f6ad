import { type Conversation, MAX_MUTED, MAX_UNREAD } from '@atrium/proto-events/http/chat/conversations';
import { JOIN_PREVIEW_SIZE } from '@atrium/proto-events/realtime';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type Limits, toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import {
  findConversation,
  listConversationRows,
  projectConversationId,
} from '../model/conversations/conversation-repository.ts';
import { listGroupsOf } from '../model/conversations/member-group-repository.ts';
import { findReadState, listMuted, listUnread } from '../model/conversations/participant-repository.ts';
import { presentConversation, unreadCount } from '../model/conversations/present-conversation.ts';
import { countUnreadReplies } from '../model/messages/thread-repository.ts';

type ReadDeps = Pick<Deps, 'db' | 'directory'>;

export async function listConversations(
  { db, directory }: ReadDeps,
  caller: Caller,
  query: { page: number; limit: number; people: number; project?: string | undefined },
) {
  const limits = { ...toLimits(query), maxParticipants: query.people };
  const { rows, total } =
    query.project === undefined
      ? await listConversationRows(db, caller.userId, limits)
      : await listProjectRow(db, caller.userId, { project: query.project, ...limits });
  return toPage(
    rows.map((row) => presentConversation(directory, caller, row)),
    total,
    query,
  );
}

async function listProjectRow(
  db: Queryable,
  viewerId: string,
  { project, limit, offset, maxParticipants }: Limits & { project: string; maxParticipants: number },
) {
  const row = await findConversation(db, projectConversationId(project), viewerId);
  const rows =
    row && row.last_read_seq !== null
      ? [{ ...row, participant_ids: row.participant_ids.slice(0, maxParticipants) }]
      : [];
  return { rows: rows.slice(offset, offset + limit), total: rows.length };
}

export async function readAsParticipant(
  { db, directory }: ReadDeps,
  caller: Caller,
  id: string,
): Promise<Conversation> {
  return presentConversation(directory, caller, await findForParticipant(db, caller, id));
}

export async function readJoinPreview({ db, directory }: ReadDeps, caller: Caller, id: string) {
  return presentConversation(directory, caller, await findForParticipant(db, caller, id, JOIN_PREVIEW_SIZE));
}

async function findForParticipant(db: Queryable, { userId }: Caller, id: string, maxParticipants?: number) {
  const row = await findConversation(db, id, userId, maxParticipants);
  if (!row || row.last_read_seq === null) throw notFound('Conversation');
  return row;
}

export async function readAfterChange({ db, directory }: ReadDeps, caller: Caller, id: string) {
  const row = await findConversation(db, id, caller.userId);
  if (!row) throw notFound('Conversation');
  return presentConversation(directory, caller, row);
}

export async function getUnread({ db }: ReadDeps, caller: Caller) {
  const [rows, threads, groups, muted] = await Promise.all([
    listUnread(db, caller.userId, MAX_UNREAD),
    countUnreadReplies(db, caller.userId),
    listGroupsOf(db, caller.userId),
    listMuted(db, caller.userId, MAX_MUTED),
  ]);
  return {
    total: rows[0]?.total ?? 0,
    threads,
    ...(groups.length > 0 && { groups }),
    ...(muted.length > 0 && { muted }),
    unread: rows.map(({ conversation_id, count, last_seq, read_revision, mentions }) => ({
      conversation: conversation_id,
      count,
      lastSeq: last_seq,
      readRevision: read_revision,
      mentions: mentions ?? [],
    })),
  };
}

export async function getUnreadCount({ db }: ReadDeps, caller: Caller, id: string) {
  const readState = await findReadState(db, id, caller.userId);
  if (!readState) throw notFound('Conversation');
  const count = unreadCount(readState);
  return { count, unreadCount: count };
}
