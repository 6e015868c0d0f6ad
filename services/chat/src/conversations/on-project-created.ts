import type { EventOf } from '@atrium/proto-events/event';
import type { projectCreated } from '@atrium/proto-events/events/projects';
import type { Deps } from '../deps.ts';
import { syncProjectConversation } from './sync-project-conversation.ts';

export const openProjectConversation =
  (deps: Pick<Deps, 'db' | 'directory' | 'broadcaster'>) =>
  ({ data, actorId }: EventOf<typeof projectCreated>) =>
    syncProjectConversation(deps, data, { actorId, createdBy: data.createdBy });
