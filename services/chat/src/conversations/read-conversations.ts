import type { Conversation } from '@atrium/proto-events/http/chat';
import { notFound } from '@atrium/service-kit/app-error';
import type { Caller } from '@atrium/service-kit/authenticate';
import { toPage } from '@atrium/service-kit/page';
import type { Deps } from '../deps.ts';
import { findConversation, listConversationRows } from './conversation-repository.ts';
import { findStanding } from './participant-repository.ts';
import { presentConversation, unreadCount } from './present-conversation.ts';

type Reading = Pick<Deps, 'db' | 'directory'>;

/** The caller's own conversations, latest activity first. */
export async function listConversations(
  { db, directory }: Reading,
  caller: Caller,
  query: { page: number; limit: number },
) {
  const { rows, total } = await listConversationRows(db, caller.userId, {
    limit: query.limit,
    offset: (query.page - 1) * query.limit,
  });
  return toPage(
    rows.map((row) => presentConversation(directory, caller, row)),
    total,
    query,
  );
}

/** One conversation; only participants read (decisions, section 7). */
export async function readConversation({ db, directory }: Reading, caller: Caller, id: string): Promise<Conversation> {
  const row = await findConversation(db, id, caller.userId);
  if (!row || row.last_read_seq === null) throw notFound('Conversation');
  return presentConversation(directory, caller, row);
}

/** The answer to whoever has just managed a conversation, an administrator who does not take part included. */
export async function readManaged({ db, directory }: Reading, caller: Caller, id: string): Promise<Conversation> {
  const row = await findConversation(db, id, caller.userId);
  if (!row) throw notFound('Conversation');
  return presentConversation(directory, caller, row);
}

export async function getUnreadCount({ db }: Reading, caller: Caller, id: string) {
  const standing = await findStanding(db, id, caller.userId);
  if (!standing) throw notFound('Conversation');
  const count = unreadCount(standing);
  return { count, unreadCount: count };
}
