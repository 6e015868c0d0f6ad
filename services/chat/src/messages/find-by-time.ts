import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/**
 * Binary search on the primary key, about twenty lookups for a million messages, because an index on time would slow down each send.
 * Times grow with seqs, except for milliseconds between concurrent sends.
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

/** The seq of the first message at or after this time, or the next seq if there is none. */
export async function findFirstSince(db: Queryable, conversationId: string, from: string): Promise<number> {
  const { rows } = await db.query<{ seq: number }>({
    name: 'first-since',
    text: FIRST_SINCE,
    values: [conversationId, from],
  });
  return rows[0]?.seq ?? 1;
}
