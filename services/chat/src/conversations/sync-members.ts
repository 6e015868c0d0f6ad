import type { Logger } from '@atrium/service-kit/observability/logger';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { Deps } from '../deps.ts';
import { lockConversation } from '../model/conversation-repository.ts';
import { claimSyncs, deleteSyncs, listFormerMembers, listMissingMembers } from '../model/member-group-repository.ts';
import { changeConversation } from './conversation-changes.ts';
import { startDirectoryCopy } from './copy-directory.ts';

/** Users per transaction, which keeps messages of the conversation waiting. */
const BATCH_SIZE = 500;
const INTERVAL_MS = 5_000;

type SyncDeps = Pick<Deps, 'db' | 'broadcaster'>;
type MemberSync = PollingLoop & { start(): void };

/**
 * Makes members of the groups of a conversation participants, and removes those who are not members anymore: after
 * changes of groups, and of users and projects of the directories.
 */
export function createMemberSync({
  directory,
  projects,
  log,
  ...deps
}: SyncDeps & Pick<Deps, 'directory' | 'projects'> & { log: Logger }): MemberSync {
  let sync: PollingLoop | undefined;
  let copy: PollingLoop | undefined;
  return {
    start() {
      const name = 'participants of groups';
      sync = startPollingLoop({ name, intervalMs: INTERVAL_MS, round: () => syncBatch(deps), log });
      copy = startDirectoryCopy({ db: deps.db, directory, projects, onChanged: sync.wake, log });
    },
    wake: () => sync?.wake(),
    async close() {
      await copy?.close();
      await sync?.close();
    },
  };
}

async function syncBatch({ db, broadcaster }: SyncDeps): Promise<boolean> {
  const batch = await db.transaction(async (tx) => {
    const syncs = await claimSyncs(tx);
    if (!syncs) return undefined;
    const { conversationId, ids } = syncs;
    await lockConversation(tx, conversationId);
    const add = await listMissingMembers(tx, conversationId, BATCH_SIZE);
    const remove = await listFormerMembers(tx, conversationId, BATCH_SIZE);
    if (add.length + remove.length < BATCH_SIZE) await deleteSyncs(tx, ids);
    const change = await changeConversation(tx, conversationId, { addByRule: add, remove }, null);
    return { conversationId, change };
  });
  if (!batch) return false;
  if (batch.change) broadcaster.conversationChanged(batch.conversationId, batch.change);
  return true;
}
