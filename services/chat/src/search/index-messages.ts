import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { type SearchedMessage, toSearchDocument } from './search-document.ts';

/** Also limits how many are indexed in a second, so that a backlog leaves the database to users. */
const BATCH_SIZE = 1_000;
/** Indexing a long message of a script without spaces takes as long as hundreds of others. */
const BATCH_BYTES = 500_000;
const INTERVAL_MS = 500;

/** Indexes new and changed messages, so that searches find them at most a second later. */
export function startSearchIndexing(db: Db, log: Logger): PollingLoop {
  return startPollingLoop({
    name: 'the indexing of messages for searches',
    intervalMs: INTERVAL_MS,
    log,
    round: async () => {
      await db.transaction(indexBatch);
      return false;
    },
  });
}

/** Any number that no other lock of this database has. */
const LOCK_ID = 311_007;

/** Takes at least one message. */
const TAKE_BATCH = `with last as (
    select position, message_id from search_queue order by position desc limit $1
  ), sized as (
    select l.position, sum(octet_length(m.content)) over (order by l.position desc) - octet_length(m.content) as bytes_before
    from last l left join messages m on m.message_id = l.message_id and m.thread_id is null
  )
  delete from search_queue where position in (select position from sized where coalesce(bytes_before, 0) < $2)
  returning message_id`;

/** Indexes those that were queued last. One process at a time, so that the last state of a message is indexed last. */
export async function indexBatch(tx: Queryable): Promise<void> {
  const { rows: locks } = await tx.query<{ is_locked: boolean }>('select pg_try_advisory_xact_lock($1) as is_locked', [
    LOCK_ID,
  ]);
  if (!locks[0]?.is_locked) return;
  const { rows: queued } = await tx.query<{ message_id: string }>(TAKE_BATCH, [BATCH_SIZE, BATCH_BYTES]);
  if (queued.length > 0) await writeEntries(tx, [...new Set(queued.map(({ message_id }) => message_id))]);
}

async function writeEntries(tx: Queryable, ids: string[]): Promise<void> {
  const messages = await listSearchedMessages(tx, ids);
  const entries: SearchEntry[] = [];
  for (const { message_id, number, sent_at, edited_at, ...message } of messages) {
    entries.push({ message_id, number, sent_at, edited_at, search: toSearchDocument(message) });
    // Ligatures that are long words take 50 ms.
    await nextTurn();
  }
  await tx.query('delete from search_entries where message_id = any($1)', [ids]);
  await tx.query(
    `insert into search_entries (message_id, number, sent_at, edited_at, search)
     select message_id, number, sent_at, edited_at, search from jsonb_to_recordset($1)
       as e (message_id text, number bigint, sent_at timestamptz, edited_at timestamptz, search text)`,
    [JSON.stringify(entries)],
  );
}

/** Times are strings, which keep the microseconds of PostgreSQL. */
type EntryKey = { message_id: string; number: number; sent_at: string; edited_at: string | null };
type SearchEntry = EntryKey & { search: string };
type IndexedMessage = SearchedMessage & EntryKey;

/** Those that are not deleted. A reply that its conversation shows, too, is one message. */
async function listSearchedMessages(tx: Queryable, ids: string[]): Promise<IndexedMessage[]> {
  const { rows } = await tx.query<IndexedMessage>(
    `select m.message_id, c.number, m.created_at::text as sent_at, m.edited_at::text as edited_at,
       m.sender_id, m.content, m.forwarded->>'content' as forwarded_content, m.reaction_count, m.pinned_at is not null as is_pinned,
       m.parent_id is not null or m.thread_version > 0 as is_in_thread,
       array(
         select a.name from attachments a
         where a.conversation_id = m.conversation_id and a.seq = m.seq order by a.position
       ) as file_names
     from messages m join conversations c on c.conversation_id = coalesce(m.parent_id, m.conversation_id)
     where m.message_id = any($1) and m.thread_id is null and m.deleted_at is null`,
    [ids],
  );
  return rows;
}
