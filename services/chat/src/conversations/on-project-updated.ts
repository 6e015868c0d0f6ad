import type { EventOf } from '@atrium/proto-events/event';
import type { projectUpdated } from '@atrium/proto-events/events/projects';
import type { Deps } from '../deps.ts';
import { syncProjectConversation } from './sync-project-conversation.ts';

/** The conversation follows the project's name and people; it is made when nothing was heard of the project before. */
export const updateProjectConversation =
  (deps: Pick<Deps, 'db' | 'directory' | 'announce'>) =>
  ({ data, actorId }: EventOf<typeof projectUpdated>) =>
    syncProjectConversation(deps, data, { actorId, createdBy: null });
