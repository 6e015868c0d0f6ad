import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/**
 * Halves the seqs until one is left: some twenty looks along the primary key in a million messages, without an index that each send would
 * pay for. Times grow with seqs but for the moments in which sends wait for one another, of which nobody who looks for a day knows.
 */
export const FIRST_SINCE = `with recursive span (low, high) as (
    select 1::bigint, last_seq + 1 from conversations where conversation_id = $1
    union all
    select case when m.created_at < $2 then m.seq + 1 else s.low end, case when m.created_at < $2 then s.high else s.middle end
    from (select low, high, (low + high) / 2 as middle from span where low < high) s
    left join lateral (
      select seq, created_at from messages where conversation_id = $1 and seq >= s.middle order by seq limit 1
    ) m on true
  )
  select low as seq from span where low >= high`;

/** The seq of the first message that was sent at or after a moment; the one to come where there is none. */
export async function findFirstSince(db: Queryable, conversationId: string, from: string): Promise<number> {
  const { rows } = await db.query<{ seq: number }>({
    name: 'first-since',
    text: FIRST_SINCE,
    values: [conversationId, from],
  });
  return rows[0]?.seq ?? 1;
}
