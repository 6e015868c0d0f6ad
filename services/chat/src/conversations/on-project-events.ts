import type { EventOf } from '@atrium/proto-events/event';
import type { projectDeleted } from '@atrium/proto-events/events/projects';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import {
  findConversation,
  lockConversation,
  projectConversationId,
} from '../model/conversations/conversation-repository.ts';
import type { ConversationChange } from '../sockets/broadcaster.ts';
import { changeConversation, discardConversation, persistConversation } from './conversation-changes.ts';
import { closeProject, lockProject, type ProjectRow, updateProject } from './project-repository.ts';

type ProjectState = {
  projectId: string;
  name: string;
  managerId: string;
  memberIds: string[];
  version: number;
};

type Cause = { actorId: string | null; createdBy: string | null };
type Outcome = 'unchanged' | 'created' | ConversationChange;

export async function syncProjectConversation(
  { db, directory, broadcaster }: Pick<Deps, 'db' | 'directory' | 'broadcaster'>,
  project: ProjectState,
  cause: Cause,
): Promise<void> {
  const id = projectConversationId(project.projectId);
  // A manager who was deactivated or deleted keeps the project until an administrator assigns another.
  const participantIds = [...new Set([project.managerId, ...project.memberIds])].filter(
    (userId) => !hasLeft(directory, userId),
  );
  const outcome = await db.transaction(async (tx): Promise<Outcome> => {
    const storedProject = await lockProject(tx, id, project.projectId);
    if (storedProject.closed || storedProject.version >= project.version) return 'unchanged';
    await updateProject(tx, {
      conversation_id: id,
      manager_id: project.managerId,
      name: project.name,
      people: participantIds,
      version: project.version,
    });
    if (storedProject.version > 0)
      return updateConversation(tx, storedProject, { project, participantIds, actorId: cause.actorId });
    await persistConversation(
      tx,
      {
        conversation_id: id,
        type: 'project',
        title: project.name,
        description: '',
        created_by: cause.createdBy,
        participantIds,
      },
      cause.actorId,
    );
    return 'created';
  });
  if (outcome === 'created') broadcaster.conversationCreated(id);
  else if (outcome !== 'unchanged') broadcaster.conversationChanged(id, outcome);
}

function hasLeft(directory: Deps['directory'], userId: string): boolean {
  const user = directory.user(userId);
  return user !== undefined && !isActive(user);
}

async function updateConversation(
  tx: Queryable,
  storedProject: ProjectRow,
  { project, participantIds, actorId }: { project: ProjectState; participantIds: string[]; actorId: string | null },
): Promise<Outcome> {
  // Locks it before its participants, in the same order as a new message does.
  await lockConversation(tx, storedProject.conversation_id);
  const change = await changeConversation(
    tx,
    storedProject.conversation_id,
    {
      ...(project.name !== storedProject.name && { title: project.name }),
      add: participantIds,
      remove: storedProject.people.filter((id) => !participantIds.includes(id)),
    },
    actorId,
  );
  const managerIds =
    project.managerId === storedProject.manager_id ? [] : [storedProject.manager_id, project.managerId];
  if (!change && managerIds.length === 0) return 'unchanged';
  const { addedIds = [], removedIds = [], abilityUserIds = [] } = change ?? {};
  return { addedIds, removedIds, abilityUserIds: [...abilityUserIds, ...managerIds] };
}

/** Prevents a late event from recreating the conversation. */
export const deleteProjectConversation =
  ({ db, broadcaster }: Pick<Deps, 'db' | 'broadcaster'>) =>
  async ({ data, actorId }: EventOf<typeof projectDeleted>): Promise<void> => {
    const id = projectConversationId(data.projectId);
    const formerParticipants = await db.transaction(async (tx) => {
      await lockProject(tx, id, data.projectId);
      await closeProject(tx, id);
      await lockConversation(tx, id);
      const row = await findConversation(tx, id, null, 0);
      return row && discardConversation(tx, row, actorId);
    });
    if (formerParticipants) broadcaster.conversationDeleted(id, formerParticipants);
  };
