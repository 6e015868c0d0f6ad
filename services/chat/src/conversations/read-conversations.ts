import { type Conversation, MOST_UNREAD } from '@atrium/proto-events/http/chat';
import { JOIN_PREVIEW_SIZE } from '@atrium/proto-events/realtime';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type Limits, toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { projectConversationId } from './conversation-id.ts';
import { findConversation, listConversationRows } from './conversation-repository.ts';
import { findReadState, listUnread } from './participant-repository.ts';
import { namesOf, presentConversation, unreadCount } from './present-conversation.ts';

type Reading = Pick<Deps, 'db' | 'directory'>;

/** The caller's own conversations, latest activity first; of a project there is one. */
export async function listConversations(
  { db, directory }: Reading,
  caller: Caller,
  query: { page: number; limit: number; people: number; project?: string | undefined },
) {
  const limits = { ...toLimits(query), people: query.people };
  const people = namesOf(directory);
  const { rows, total } =
    query.project === undefined
      ? await listConversationRows(db, caller.userId, limits)
      : await listProjectRow(db, caller.userId, { project: query.project, ...limits });
  return toPage(
    rows.map((row) => presentConversation(people, caller, row)),
    total,
    query,
  );
}

async function listProjectRow(
  db: Queryable,
  viewerId: string,
  { project, limit, offset, people }: Limits & { project: string; people: number },
) {
  const row = await findConversation(db, projectConversationId(project), viewerId);
  const rows =
    row && row.last_read_seq !== null ? [{ ...row, participant_ids: row.participant_ids.slice(0, people) }] : [];
  return { rows: rows.slice(offset, offset + limit), total: rows.length };
}

/** One conversation; only participants read (decisions, section 7). */
export async function readConversation({ db, directory }: Reading, caller: Caller, id: string): Promise<Conversation> {
  const row = await findConversation(db, id, caller.userId);
  if (!row || row.last_read_seq === null) throw notFound('Conversation');
  return presentConversation(directory, caller, row);
}

/** The same as a list has it, with the first of its people, however many take part. */
export async function readJoined({ db, directory }: Reading, caller: Caller, id: string): Promise<Conversation> {
  const row = await findConversation(db, id, caller.userId, JOIN_PREVIEW_SIZE);
  if (!row || row.last_read_seq === null) throw notFound('Conversation');
  return presentConversation(namesOf(directory), caller, row);
}

/** The answer to whoever has just managed a conversation, an administrator who does not take part included. */
export async function readManaged({ db, directory }: Reading, caller: Caller, id: string): Promise<Conversation> {
  const row = await findConversation(db, id, caller.userId);
  if (!row) throw notFound('Conversation');
  return presentConversation(directory, caller, row);
}

/** For a number beside the way to chat, without the conversations themselves. */
export async function getUnread({ db }: Reading, caller: Caller) {
  const rows = await listUnread(db, caller.userId, MOST_UNREAD);
  return {
    total: rows[0]?.total ?? 0,
    unread: rows.map(({ conversation_id, count, last_seq }) => ({
      conversation: conversation_id,
      count,
      lastSeq: last_seq,
    })),
  };
}

export async function getUnreadCount({ db }: Reading, caller: Caller, id: string) {
  const standing = await findReadState(db, id, caller.userId);
  if (!standing) throw notFound('Conversation');
  const count = unreadCount(standing);
  return { count, unreadCount: count };
}
