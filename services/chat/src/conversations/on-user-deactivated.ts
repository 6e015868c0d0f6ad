import type { EventOf } from '@atrium/proto-events/event';
import type { userDeactivated } from '@atrium/proto-events/events/users';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { lockConversation } from '../model/conversations/conversation-repository.ts';
import { changeConversation } from './conversation-changes.ts';

const PROPAGATION_TIMEOUT_MS = 2_000;

type UserDeactivated = EventOf<typeof userDeactivated>;

/** Runs one transaction per conversation: each is broadcast after its commit, and redeliveries remove no one. */
export const removeDeactivatedUser =
  ({ db, directory, broadcaster }: Pick<Deps, 'db' | 'directory' | 'broadcaster'>) =>
  async ({ data: { userId, version }, actorId }: UserDeactivated): Promise<void> => {
    // Project events that arrive later are filtered by the directory.
    await directory.whenUser(userId, (user) => user !== undefined && user.version >= version, PROPAGATION_TIMEOUT_MS);
    for (const id of await listSharedConversationIds(db, userId)) {
      const change = await db.transaction(async (tx) => {
        await lockConversation(tx, id);
        return changeConversation(tx, id, { remove: [userId] }, actorId);
      });
      if (change) broadcaster.conversationChanged(id, change);
    }
  };

async function listSharedConversationIds(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select p.conversation_id as id from participants p join conversations c on c.conversation_id = p.conversation_id
     where p.user_id = $1 and c.type <> 'direct' order by p.conversation_id`,
    [userId],
  );
  return rows.map(({ id }) => id);
}
