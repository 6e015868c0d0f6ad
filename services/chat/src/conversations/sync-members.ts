import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { Deps } from '../deps.ts';
import { lockConversation } from '../model/conversations/conversation-repository.ts';
import {
  deleteSyncs,
  filterFormerMembers,
  filterMembers,
  findSyncs,
  insertSync,
  listFormerMembers,
  listMissingMembers,
  listPossiblyRequired,
} from '../model/conversations/member-group-repository.ts';
import { changeConversation } from './conversation-changes.ts';
import { startDirectoryCopy } from './copy-directory.ts';

/** Users per transaction, which keeps messages of the conversation waiting. */
const BATCH_SIZE = 500;
const INTERVAL_MS = 5_000;
const RETRY_DELAY_MS = 1_000;

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
      sync = startPollingLoop({
        name,
        intervalMs: INTERVAL_MS,
        retryDelayMs: RETRY_DELAY_MS,
        round: () => syncConversation(deps),
        log,
      });
      copy = startDirectoryCopy({ db: deps.db, directory, projects, onChanged: sync.wake, log });
    },
    wake: () => sync?.wake(),
    async close() {
      await copy?.close();
      await sync?.close();
    },
  };
}

/**
 * Compares the participants of one conversation with its groups. Whatever changes meanwhile is either found by a batch, or
 * has inserted another row.
 */
async function syncConversation(deps: SyncDeps): Promise<boolean> {
  const syncs = await findSyncs(deps.db);
  if (!syncs) return false;
  try {
    await syncMembers(deps, syncs.conversationId);
    await announceAbilities(deps, syncs);
  } catch (error) {
    // Others do not wait for a conversation that fails.
    await insertSync(deps.db, syncs.conversationId, syncs.userIds);
    await deleteSyncs(deps.db, syncs.ids);
    throw error;
  }
  await deleteSyncs(deps.db, syncs.ids);
  return true;
}

async function syncMembers(deps: SyncDeps, conversationId: string): Promise<void> {
  for (const batch of toBatches(await listMissingMembers(deps.db, conversationId)))
    await changeMembers(deps, conversationId, async (tx) => ({
      addByRule: await filterMembers(tx, conversationId, batch),
    }));
  for (const batch of toBatches(await listFormerMembers(deps.db, conversationId)))
    await changeMembers(deps, conversationId, async (tx) => ({
      remove: await filterFormerMembers(tx, conversationId, batch),
    }));
}

/** To users who were in the conversation already, and can leave it now or no longer can. */
async function announceAbilities(
  { db, broadcaster }: SyncDeps,
  { conversationId, userIds }: { conversationId: string; userIds: string[] },
): Promise<void> {
  if (userIds.length === 0) return;
  const affected = await listPossiblyRequired(db, conversationId, userIds);
  if (affected.length > 0) broadcaster.abilitiesChanged(conversationId, affected);
}

type ParticipantChange = { addByRule?: string[]; remove?: string[] };

async function changeMembers(
  { db, broadcaster }: SyncDeps,
  conversationId: string,
  findChange: (tx: Queryable) => Promise<ParticipantChange>,
): Promise<void> {
  const change = await db.transaction(async (tx) => {
    await lockConversation(tx, conversationId);
    return changeConversation(tx, conversationId, await findChange(tx), null);
  });
  if (change) broadcaster.conversationChanged(conversationId, change);
}

const toBatches = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, index) =>
    ids.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );
