import type { Queryable } from '@atrium/service-kit/postgres/postgres';

const buildMove = (streams: string, members: string, id: string) => `with me as (
    select p.last_read_seq, p.own_after_read, c.last_seq, least($3::bigint, c.last_seq) as seq
    from ${members} p join ${streams} c on c.${id} = p.${id}
    where p.${id} = $1 and p.user_id = $2
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
    update ${members} p set last_read_seq = me.seq, own_after_read = me.own_after_read - own.n
    from me, own
    where p.${id} = $1 and p.user_id = $2 and me.seq > me.last_read_seq
      and p.last_read_seq = me.last_read_seq and p.own_after_read = me.own_after_read
    returning 1
  )
  select last_read_seq as before, greatest(last_read_seq, seq) as seq, last_seq,
    last_seq - greatest(last_read_seq, seq) - (own_after_read - own.n) as unread_count,
    case when seq > last_read_seq then seq - last_read_seq - own.n else 0 end as newly_read,
    seq > last_read_seq and not exists (select from moved) as conflicted
  from me, own`;

/** Exported for the query plan test. */
export const MOVES = {
  conversation: buildMove('conversations', 'participants', 'conversation_id'),
  thread: buildMove('threads', 'thread_followers', 'thread_id'),
};

type ReadMove = { before: number; seq: number; newly_read: number; last_seq: number; unread_count: number };

/**
 * Counts own messages on the shorter side of the new read position. Locks optimistically: the row changes only if it is
 * still the one that was read together with `last_seq`, so that the unread count is the one at that `last_seq`.
 * Returns undefined for users who are not participants, or do not follow the thread.
 */
export async function moveReadPosition(
  db: Queryable,
  { of, id, userId, seq }: { of: keyof typeof MOVES; id: string; userId: string; seq: number | undefined },
): Promise<ReadMove | undefined> {
  for (;;) {
    const { rows } = await db.query<ReadMove & { conflicted: boolean }>({
      name: `move-read-position-${of}`,
      text: MOVES[of],
      values: [id, userId, seq ?? Number.MAX_SAFE_INTEGER],
    });
    const [move] = rows;
    // The user has read or sent in between, so each retry follows another write that succeeded.
    if (!move?.conflicted) return move;
  }
}
