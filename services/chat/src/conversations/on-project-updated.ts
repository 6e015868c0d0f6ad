import type { EventOf } from '@atrium/proto-events/event';
import type { projectUpdated } from '@atrium/proto-events/events/projects';
import type { Deps } from '../deps.ts';
import { syncProjectConversation } from './sync-project-conversation.ts';

/** Creates the conversation if the project's creation has not been processed. */
export const updateProjectConversation =
  (deps: Pick<Deps, 'db' | 'directory' | 'broadcaster'>) =>
  ({ data, actorId }: EventOf<typeof projectUpdated>) =>
    syncProjectConversation(deps, data, { actorId, createdBy: null });
