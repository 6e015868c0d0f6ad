import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';

const BATCH_SIZE = 500;
const INTERVAL_MS = 5_000;
/** Between batches, which leaves the database to users. */
const PAUSE_MS = 100;

/** Removes messages and threads in small transactions, so that a conversation of any size can be deleted without long locks. */
export function startMessageRemoval(db: Db, log: Logger): PollingLoop {
  return startPollingLoop({
    name: 'the removal of deleted conversations',
    intervalMs: INTERVAL_MS,
    log,
    async round() {
      const isFound = await db.transaction(removeBatch);
      if (isFound) await setTimeout(PAUSE_MS);
      return isFound;
    },
  });
}

/** Returns false if there is nothing to remove. */
async function removeBatch(tx: Queryable): Promise<boolean> {
  const deletedConversations = await claimDeletedConversations(tx);
  const ids = deletedConversations.map(({ conversation_id }) => conversation_id);
  if (ids.length === 0) return false;
  // A trigger adds the threads to the deleted conversations.
  const hasMoreThreads = (await removeFollowers(tx, ids)) || (await removeThreads(tx, ids));
  if (!hasMoreThreads) await removeMessages(tx, deletedConversations);
  return true;
}

type DeletedConversation = { conversation_id: string; last_seq: number; removed_seq: number };

async function claimDeletedConversations(tx: Queryable): Promise<DeletedConversation[]> {
  const { rows } = await tx.query<DeletedConversation>({
    name: 'claim-deleted-conversations',
    text: `select conversation_id, last_seq, removed_seq from deleted_conversations
      order by deleted_at, conversation_id limit $1 for update skip locked`,
    values: [BATCH_SIZE],
  });
  return rows;
}

/** Returns whether there may be more. */
async function removeFollowers(tx: Queryable, conversationIds: string[]): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from thread_followers where (thread_id, user_id) in (
       select f.thread_id, f.user_id from thread_followers f join threads t on t.thread_id = f.thread_id
       where t.conversation_id = any($1) limit $2
     )`,
    [conversationIds, BATCH_SIZE],
  );
  return rowCount === BATCH_SIZE;
}

/** Returns whether there may be more. */
async function removeThreads(tx: Queryable, conversationIds: string[]): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from threads where thread_id in (select thread_id from threads where conversation_id = any($1) limit $2)`,
    [conversationIds, BATCH_SIZE],
  );
  return rowCount === BATCH_SIZE;
}

/** Removes the messages of many threads, or a part of those of a conversation. */
async function removeMessages(tx: Queryable, deletedConversations: readonly DeletedConversation[]): Promise<void> {
  const ranges: { id: string; after: number; last: number; isComplete: boolean }[] = [];
  let capacity = BATCH_SIZE;
  for (const { conversation_id: id, last_seq, removed_seq: after } of deletedConversations) {
    const last = Math.min(after + capacity, last_seq);
    ranges.push({ id, after, last, isComplete: last >= last_seq });
    capacity -= last - after;
    if (capacity <= 0) break;
  }
  await tx.query(
    `delete from messages m using unnest($1::text[], $2::bigint[], $3::bigint[]) as r (id, after, last)
     where m.conversation_id = r.id and m.seq > r.after and m.seq <= r.last`,
    [ranges.map(({ id }) => id), ranges.map(({ after }) => after), ranges.map(({ last }) => last)],
  );
  const complete = ranges.filter(({ isComplete }) => isComplete);
  await tx.query('delete from deleted_conversations where conversation_id = any($1)', [complete.map(({ id }) => id)]);
  // Only the last range can be incomplete.
  for (const { id, last } of ranges.filter(({ isComplete }) => !isComplete))
    await tx.query('update deleted_conversations set removed_seq = $2 where conversation_id = $1', [id, last]);
}
