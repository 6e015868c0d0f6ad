import type { EventOf } from '@atrium/proto-events/event';
import type { userDeparted } from '@atrium/proto-events/events/users';
import type { Deps } from '../deps.ts';
import { type Changed, changeConversation } from './conversation-changes.ts';
import { lockConversation } from './conversation-repository.ts';
import { listSharedConversationIds, transferOwnership } from './participant-repository.ts';

const SETTLE_MS = 2_000;

type Departed = EventOf<typeof userDeparted>;

/**
 * Removes a deactivated or deleted user from groups and project conversations; direct conversations stay readable for the other person.
 * Each conversation has its own transaction, because sockets are notified after the commit; a redelivery finds nobody left to remove.
 */
export const removeDepartedParticipant =
  ({ db, directory, broadcaster }: Pick<Deps, 'db' | 'directory' | 'broadcaster'>) =>
  async ({ data: { userId, version }, actorId }: Departed): Promise<void> => {
    // Project events that arrive later are filtered by the directory.
    await directory.whenUser(userId, (user) => user !== undefined && user.version >= version, SETTLE_MS);
    for (const id of await listSharedConversationIds(db, userId)) {
      const changed = await db.transaction(async (tx): Promise<Changed | undefined> => {
        await lockConversation(tx, id);
        await transferOwnership(tx, id, userId);
        return changeConversation(tx, id, { remove: [userId] }, actorId);
      });
      if (changed) await broadcaster.conversationChanged(id, changed);
    }
  };
