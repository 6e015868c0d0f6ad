import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { findMessage } from '../model/message-repository.ts';
import { moveReadPosition } from '../model/read-position.ts';

type MarkReadParams = { conversation: string; seq?: number | undefined; message?: string | undefined };

export async function markRead(deps: Deps, caller: Caller, { conversation, seq, message }: MarkReadParams) {
  if (message === undefined) return markReadUpTo(deps, caller, conversation, seq);
  const row = await findMessage(deps.db, message, caller.userId);
  if (!row?.is_participant || row.conversation_id !== conversation) throw notFound('Message');
  return markReadUpTo(deps, caller, conversation, row.seq);
}

export async function markMessageRead(deps: Deps, caller: Caller, id: string) {
  const row = await findMessage(deps.db, id, caller.userId);
  if (!row?.is_participant) throw notFound('Message');
  return markReadUpTo(deps, caller, row.conversation_id, row.seq);
}

async function markReadUpTo(
  { db, broadcaster }: Deps,
  { userId }: Caller,
  conversation: string,
  seq: number | undefined,
) {
  const move = await moveReadPosition(db, { of: 'conversation', id: conversation, userId, seq });
  if (!move) throw notFound('Conversation');
  const { before, seq: lastReadSeq, newly_read, last_seq: lastSeq, unread_count: unreadCount } = move;
  if (lastReadSeq > before) await broadcaster.messagesRead(userId, { conversation, lastSeq, lastReadSeq, unreadCount });
  return { updatedCount: newly_read, seq: lastReadSeq };
}
