import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { deleteMessages } from '../messages/message-repository.ts';
import { claimDeletedConversation, noteRemoved } from './conversation-repository.ts';

/** Each may have files, pictures and earlier wordings, which go with it. */
const BATCH = 500;
const EVERY_MS = 5_000;

/**
 * Removes the messages of deleted conversations in the background, a few hundred in a transaction, so that nothing is locked for long and
 * a conversation of any size can be deleted. Where one pod stops, the next to look goes on.
 */
export function startRemovingMessages(db: Db, log: Logger): PollingLoop {
  return startPollingLoop({
    what: 'the removal of deleted conversations',
    everyMs: EVERY_MS,
    log,
    round: () =>
      db.transaction(async (tx) => {
        const deleted = await claimDeletedConversation(tx);
        if (!deleted) return false;
        const upTo = Math.min(deleted.removed_seq + BATCH, deleted.last_seq);
        await deleteMessages(tx, { ...deleted, after: deleted.removed_seq, upTo });
        await noteRemoved(tx, deleted, upTo);
        return true;
      }),
  });
}
