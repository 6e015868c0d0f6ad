import type { EventOf } from '@atrium/proto-events/event';
import type { projectDeleted } from '@atrium/proto-events/events/projects';
import type { Deps } from '../deps.ts';
import { discardConversation } from './conversation-changes.ts';
import { projectConversationId } from './conversation-id.ts';
import { findConversation, lockConversation } from './conversation-repository.ts';
import { closeProject, lockProject } from './project-repository.ts';

/** Marks the project as closed, so that a late event cannot recreate its conversation. */
export const deleteProjectConversation =
  ({ db, broadcaster }: Pick<Deps, 'db' | 'broadcaster'>) =>
  async ({ data, actorId }: EventOf<typeof projectDeleted>): Promise<void> => {
    const id = projectConversationId(data.projectId);
    const formerParticipants = await db.transaction(async (tx) => {
      await lockProject(tx, id, data.projectId);
      await closeProject(tx, id);
      await lockConversation(tx, id);
      const row = await findConversation(tx, id, null);
      return row && discardConversation(tx, row, actorId);
    });
    if (formerParticipants) broadcaster.conversationDeleted(id, formerParticipants);
  };
