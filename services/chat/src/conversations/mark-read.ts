import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findMessage } from '../model/message-repository.ts';

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
  const move = await moveReadPosition(db, { conversationId: conversation, userId, seq });
  if (!move) throw notFound('Conversation');
  const { before, seq: lastReadSeq, newly_read, last_seq: lastSeq, unread_count: unreadCount } = move;
  if (lastReadSeq > before) await broadcaster.messagesRead(userId, { conversation, lastSeq, lastReadSeq, unreadCount });
  return { updatedCount: newly_read, seq: lastReadSeq };
}

/** Exported for the query plan test. */
export const MOVE_READ_POSITION = `with me as (
    select p.last_read_seq, p.own_after_read, c.last_seq, least($3::bigint, c.last_seq) as seq
    from participants p join conversations c on c.conversation_id = p.conversation_id
    where p.conversation_id = $1 and p.user_id = $2
  ), own as (
    select case
      when seq <= last_read_seq or own_after_read = 0 then 0
      when seq - last_read_seq < last_seq - seq then (
        select count(*) from messages m
        where m.conversation_id = $1 and m.seq > last_read_seq and m.seq <= me.seq and m.sender_id = $2
      )
      else own_after_read - (
        select count(*) from messages m where m.conversation_id = $1 and m.seq > me.seq and m.seq <= last_seq and m.sender_id = $2
      )
    end as n from me
  ), moved as (
    update participants p set last_read_seq = me.seq, own_after_read = me.own_after_read - own.n
    from me, own
    where p.conversation_id = $1 and p.user_id = $2 and me.seq > me.last_read_seq
      and p.last_read_seq = me.last_read_seq and p.own_after_read = me.own_after_read
    returning 1
  )
  select last_read_seq as before, greatest(last_read_seq, seq) as seq, last_seq,
    last_seq - greatest(last_read_seq, seq) - (own_after_read - own.n) as unread_count,
    case when seq > last_read_seq then seq - last_read_seq - own.n else 0 end as newly_read,
    seq > last_read_seq and not exists (select from moved) as conflicted
  from me, own`;

type ReadMove = { before: number; seq: number; newly_read: number; last_seq: number; unread_count: number };

/**
 * Counts own messages on the shorter side of the new read position. Locks optimistically: the row changes only if it is
 * still the one that was read together with `last_seq`, so that the unread count is the one at that `last_seq`.
 */
export async function moveReadPosition(
  db: Queryable,
  { conversationId, userId, seq }: { conversationId: string; userId: string; seq: number | undefined },
): Promise<ReadMove | undefined> {
  for (;;) {
    const { rows } = await db.query<ReadMove & { conflicted: boolean }>({
      name: 'move-read-position',
      text: MOVE_READ_POSITION,
      values: [conversationId, userId, seq ?? Number.MAX_SAFE_INTEGER],
    });
    const [move] = rows;
    // The user has read or sent in between, so each retry follows another write that succeeded.
    if (!move?.conflicted) return move;
  }
}
