import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { MAX_DURATION } from '../model/meeting-repository.ts';
import type { Span } from './free-times.ts';

type BusyQuery = { people: readonly string[]; from: string; to: string; except: string | null };

const TAKEN = `participants where user_id = any($1) and ends_at > $2 and starts_at < $3 and response <> 'declined'
  and starts_at > $2::timestamptz - ${MAX_DURATION}
  and meeting_id is distinct from $4`;

const values = ({ people, from, to, except }: BusyQuery) => [people, from, to, except];

const MS = (bound: string) => `(extract(epoch from ${bound}) * 1000)::bigint`;

/** Overlapping and adjacent meetings are merged, so that they cannot be counted. Includes whole meetings that exceed the range. */
export async function listBusySpansByUser(db: Queryable, question: BusyQuery): Promise<Map<string, Span[]>> {
  const { rows } = await db.query<{ user_id: string; start: number; end: number }>({
    name: 'busy-of-each',
    text: `select user_id, ${MS('lower(taken)')} as start, ${MS('upper(taken)')} as end
           from (select user_id, unnest(range_agg(tstzrange(starts_at, ends_at))) as taken from ${TAKEN} group by user_id) t
           order by user_id, taken`,
    values: values(question),
  });
  const found = new Map<string, Span[]>();
  for (const { user_id, start, end } of rows) {
    const spans = found.get(user_id) ?? [];
    spans.push([start, end]);
    found.set(user_id, spans);
  }
  return found;
}

export async function listBusySpans(db: Queryable, question: BusyQuery): Promise<Span[]> {
  const { rows } = await db.query<{ start: number; end: number }>({
    name: 'busy-of-any',
    text: `select ${MS('lower(taken)')} as start, ${MS('upper(taken)')} as end
           from (select unnest(range_agg(tstzrange(starts_at, ends_at))) as taken from ${TAKEN}) t order by taken`,
    values: values(question),
  });
  return rows.map(({ start, end }): Span => [start, end]);
}
