import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { deleteMessages } from '../messages/message-repository.ts';
import { claimDeletedConversation, recordRemovalProgress } from './conversation-repository.ts';

/** Messages per transaction; their files and revisions are deleted with them. */
const BATCH_SIZE = 500;
const INTERVAL_MS = 5_000;

/**
 * Removes the messages of deleted conversations in the background, in small transactions, so that a conversation of any size can be deleted
 * without long locks. Any pod continues the work of another.
 */
export function startMessageRemoval(db: Db, log: Logger): PollingLoop {
  return startPollingLoop({
    what: 'the removal of deleted conversations',
    intervalMs: INTERVAL_MS,
    log,
    round: () =>
      db.transaction(async (tx) => {
        const deleted = await claimDeletedConversation(tx);
        if (!deleted) return false;
        const upTo = Math.min(deleted.removed_seq + BATCH_SIZE, deleted.last_seq);
        await deleteMessages(tx, { ...deleted, after: deleted.removed_seq, upTo });
        await recordRemovalProgress(tx, deleted, upTo);
        return true;
      }),
  });
}
