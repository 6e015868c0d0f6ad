import type { ReadState } from '@atrium/proto-events/realtime';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { findReadState } from '../model/conversations/participant-repository.ts';
import {
  findPosition,
  moveReadPosition,
  moveReadPositionBack,
  type ReadMove,
} from '../model/conversations/read-position.ts';
import { afterCommit } from '../sockets/after-commit.ts';

type ReadUpTo = { conversation: string; seq: number | undefined; readRevision?: number | undefined };
type MarkReadParams = Omit<ReadUpTo, 'seq'> & { seq?: number | undefined; message?: string | undefined };

export async function markRead(deps: Deps, caller: Caller, { message, ...params }: MarkReadParams) {
  const { conversation, seq, readRevision } = params;
  if (message === undefined) return markReadUpTo(deps, caller, { conversation, seq, readRevision });
  const position = await findPosition(deps.db, message, caller.userId);
  if (position?.conversation !== conversation) throw notFound('Message');
  return markReadUpTo(deps, caller, { ...position, readRevision });
}

export async function markMessageRead(deps: Deps, caller: Caller, id: string) {
  const position = await findPosition(deps.db, id, caller.userId);
  if (!position) throw notFound('Message');
  return markReadUpTo(deps, caller, position);
}

async function markReadUpTo(deps: Deps, { userId }: Caller, { conversation, seq, readRevision }: ReadUpTo) {
  const move = await moveReadPosition(deps.db, {
    of: 'conversation',
    id: conversation,
    conversation,
    userId,
    seq,
    readRevision,
  });
  if (!move) throw notFound('Conversation');
  if (move.is_published) deps.db.notifyCommitted();
  if (move.seq > move.before)
    await afterCommit(deps, () => deps.broadcaster.messagesRead(userId, toReadState(conversation, move)));
  return { updatedCount: move.newly_read, seq: move.seq };
}

const toReadState = (conversation: string, move: ReadMove): ReadState => ({
  conversation,
  lastSeq: move.last_seq,
  lastReadSeq: move.seq,
  unreadCount: move.unread_count,
  readRevision: move.read_revision,
});

/** Other users still see that the messages were read. */
export async function markUnread(deps: Deps, { userId }: Caller, { id, seq }: { id: string; seq: number }) {
  const move = await moveReadPositionBack(deps.db, { of: 'conversation', id, userId, seq });
  if (!move) throw notFound((await findReadState(deps.db, id, userId)) ? 'Message' : 'Conversation');
  const state = toReadState(id, move);
  if (move.seq < move.before) deps.broadcaster.messagesUnread(userId, state);
  return state;
}
