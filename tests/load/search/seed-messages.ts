import type pg from 'pg';

/** Ten million take about 20 minutes to create; a second run with the same `BENCH_HOME` searches those of the first. */
export const MESSAGES = Number(process.env.SEARCH_MESSAGES ?? 1_000_000);
const SECONDS_BETWEEN = 9.4;

/** Returns the day, such as 2026-03-01, when this share (0 to 1) of the messages had been sent. */
export const dayAt = (share: number): string =>
  new Date(Date.now() - (1 - share) * MESSAGES * SECONDS_BETWEEN * 1_000).toISOString().slice(0, 10);

export const CONVERSATIONS = 5_000;
const WORDS = 50_000;
const PHRASES = 200_000;
const SENDERS = 2_000;

/** Users with 500 conversations each, by which of the 5,000 they are in: those are ordered by size, largest first. */
export const VIEWERS = { largest: 'n <= 500', mixed: 'n % 10 = 1', smallest: 'n > 4000 and n <= 4500' };
export type Viewer = keyof typeof VIEWERS;

const VIEWER_IDS: Record<Viewer, string> = {
  largest: '1'.repeat(24),
  mixed: '2'.repeat(24),
  smallest: '3'.repeat(24),
};
export const viewerId = (viewer: Viewer): string => VIEWER_IDS[viewer];

/** Chooses a number up to `max` in proportion to its reciprocal (Zipf's law). */
const zipf = (max: number) => `floor(exp(random() * ln(${max}::float8)))::int`;

/** Common words are short; two letters begin many words. */
const CREATE_VOCABULARY = `
  create table bench_words as select rank, (
    select string_agg(
      substr('bcdfghjklmnprstvwz', 1 + (hash / (7 * i * i)) % 18, 1) || substr('aeiou', 1 + (hash / (11 * i)) % 5, 1), '' order by i
    ) from generate_series(1, 1 + (rank > 60)::int + (rank > 900)::int + (rank > 9000)::int) i
  ) || case when rank % 3 = 0 then substr('nrstlm', 1 + rank % 6, 1) else '' end as word
  from (select rank, abs(hashint4(rank)) as hash from generate_series(1, ${WORDS}) rank) ranks;
  create unique index on bench_words (rank);
  create table bench_phrases as select number, (
    select string_agg(word, ' ')
    from (select ${zipf(WORDS)} as rank from generate_series(1, 3 + number % 6)) chosen join bench_words using (rank)
  ) as phrase from generate_series(1, ${PHRASES}) number;
  alter table bench_phrases add pairs text;
  update bench_phrases set pairs = coalesce((
    select string_agg(' +' || word || '+' || next, '')
    from (
      select word, lead(word) over (order by position) as next
      from string_to_table(phrase, ' ') with ordinality words (word, position)
    ) neighbors where length(word) <= 3 and length(next) <= 3
  ), '');
  create unique index on bench_phrases (number);`;

/** Creates words and conversations. */
export async function seedConversations(client: pg.ClientBase): Promise<void> {
  await client.query(`${CREATE_VOCABULARY}
    insert into conversations (conversation_id, type, title, created_by)
    select lpad(to_hex(n), 24, '0'), 'group', 'channel-' || n, 'creator' from generate_series(1, ${CONVERSATIONS}) n;`);
  for (const viewer of Object.keys(VIEWERS) as Viewer[])
    await client.query(
      `insert into participants (conversation_id, user_id, last_read_seq)
       select lpad(to_hex(n), 24, '0'), $1, 0 from generate_series(1, ${CONVERSATIONS}) n where ${VIEWERS[viewer]}`,
      [viewerId(viewer)],
    );
}

/**
 * Inserts messages and their search entries, evenly until now: ten million in three years. Every fiftieth has a file.
 * Triggers are disabled.
 */
export async function seedMessages(client: pg.ClientBase, { first, last }: { first: number; last: number }) {
  await client.query(`
    alter table messages disable trigger user;
    set synchronous_commit = off;
    create temporary table generated as
      select i, lpad(to_hex(i), 24, '0') as message_id, lpad(to_hex(${zipf(CONVERSATIONS)}), 24, '0') as conversation_id,
        lpad(to_hex(${zipf(SENDERS)}), 24, '0') as sender_id, now() - (${MESSAGES} - i) * interval '${SECONDS_BETWEEN} s' as sent_at,
        1 + floor(random() * ${PHRASES})::int as number, 1 + floor(random() * ${PHRASES})::int as other
      from generate_series(${first}::bigint, ${last}::bigint) i;
    create temporary table written as
      select g.*, a.phrase || ' ' || b.phrase as content, a.pairs || b.pairs as pairs
      from generated g join bench_phrases a on a.number = g.number join bench_phrases b on b.number = g.other;
    insert into messages (conversation_id, seq, message_id, sender_id, content, type, created_at, updated_at)
      select conversation_id, i, message_id, sender_id, content, 'text', sent_at, sent_at from written order by i;
    insert into search_entries (message_id, number, sent_at, search)
      select message_id, c.number, sent_at,
        ' ' || content || case when pairs = '' then '' else ' |' || pairs end || ' | @' || sender_id || case when i % 50 = 0 then ' :file ' else ' ' end
      from written join conversations c using (conversation_id) order by i;
    drop table generated, written;
    alter table messages enable trigger user;`);
}

/** Whether an earlier run has created everything. */
export async function isSeeded(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is_seeded: boolean }>(
    "select to_regclass('bench_words') is not null and to_regclass('search_entries_keys') is not null as is_seeded",
  );
  return rows[0]?.is_seeded === true;
}

const ENTRY_INDEXES = ['search_entries_keys', 'search_entries_conversation', 'search_entries_sent'];

/** Drops the indexes of the entries, and returns how to create them again, which is faster than filling them. */
export async function dropEntryIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ indexdef: string }>(
    'select indexdef from pg_indexes where indexname = any($1)',
    [ENTRY_INDEXES],
  );
  for (const name of ENTRY_INDEXES) await client.query(`drop index ${name}`);
  return rows.map(({ indexdef }) => indexdef);
}
