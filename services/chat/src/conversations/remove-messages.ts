import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';

const BATCH_SIZE = 500;
const INTERVAL_MS = 5_000;

/** Removes messages in small transactions, so that a conversation of any size can be deleted without long locks. */
export function startMessageRemoval(db: Db, log: Logger): PollingLoop {
  return startPollingLoop({
    name: 'the removal of deleted conversations',
    intervalMs: INTERVAL_MS,
    log,
    round: () => db.transaction(removeBatch),
  });
}

async function removeBatch(tx: Queryable): Promise<boolean> {
  const deletedConversation = await claimDeletedConversation(tx);
  if (!deletedConversation) return false;
  const { conversation_id: id, last_seq, removed_seq } = deletedConversation;
  const lastRemovedSeq = Math.min(removed_seq + BATCH_SIZE, last_seq);
  await tx.query('delete from messages where conversation_id = $1 and seq > $2 and seq <= $3', [
    id,
    removed_seq,
    lastRemovedSeq,
  ]);
  if (lastRemovedSeq >= last_seq) await tx.query('delete from deleted_conversations where conversation_id = $1', [id]);
  else
    await tx.query('update deleted_conversations set removed_seq = $2 where conversation_id = $1', [
      id,
      lastRemovedSeq,
    ]);
  return true;
}

async function claimDeletedConversation(tx: Queryable) {
  const { rows } = await tx.query<{ conversation_id: string; last_seq: number; removed_seq: number }>(
    `select conversation_id, last_seq, removed_seq from deleted_conversations
     order by deleted_at limit 1 for update skip locked`,
  );
  return rows[0];
}
