import type { Conversation } from '@atrium/proto-events/http/chat';
import { awaitActivePeople } from '@atrium/service-kit/directory/active-users';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { changeConversation, loadForChange } from './conversation-changes.ts';
import {
  canLeave,
  DIRECT_REFUSED,
  LEAVE_DIRECT_DENIED,
  MANAGE_REFUSED,
  mayManageParticipants,
  REMOVE_CREATOR_REFUSED,
  REMOVE_PROJECT_PERSON_REFUSED,
  REMOVE_SELF_REFUSED,
} from './policy.ts';
import { lockProjectPeople } from './project-repository.ts';
import { readManaged } from './read-conversations.ts';
import { requireActivePeople } from './require-active-people.ts';

type Given = { id: string; userId: string };

/** Adds a person to a group or project conversation; somebody who is there already stays as they are. */
export async function addParticipant(deps: Deps, caller: Caller, { id, userId }: Given): Promise<Conversation> {
  await awaitActivePeople(deps.directory, [userId]);
  const changed = await deps.db.transaction(async (tx) => {
    await loadManageable(tx, caller, id);
    requireActivePeople(deps.directory, 'userId', [userId]);
    return changeConversation(tx, id, { add: [userId] }, caller.userId);
  });
  if (changed) await deps.announce.conversationChanged(id, changed);
  return readManaged(deps, caller, id);
}

/** Removes a person; neither the creator nor oneself (specification, section 6), nor who belongs to the project (decisions, section 10). */
export async function removeParticipant(deps: Deps, caller: Caller, { id, userId }: Given): Promise<void> {
  const changed = await deps.db.transaction(async (tx) => {
    // Before the conversation, in the order in which the project's own events take the two.
    const projectPeople = await lockProjectPeople(tx, id);
    const conversation = await loadManageable(tx, caller, id);
    if (userId === caller.userId) throw new AppError('conflict', REMOVE_SELF_REFUSED);
    if (projectPeople.includes(userId)) throw new AppError('conflict', REMOVE_PROJECT_PERSON_REFUSED);
    if (userId === conversation.created_by) throw new AppError('conflict', REMOVE_CREATOR_REFUSED);
    return changeConversation(tx, id, { remove: [userId] }, caller.userId);
  });
  if (!changed) throw notFound('Participant');
  await deps.announce.conversationChanged(id, changed);
}

/** Leaves a group, or a project conversation as a guest. */
export async function leaveConversation(deps: Deps, caller: Caller, id: string): Promise<void> {
  const changed = await deps.db.transaction(async (tx) => {
    // Before the conversation, in the order in which the project's own events take the two.
    const project_people = await lockProjectPeople(tx, id);
    const conversation = await loadForChange(tx, caller, id);
    if (conversation.last_read_seq === null) throw notFound('Conversation');
    if (conversation.type === 'direct') throw new AppError('conflict', LEAVE_DIRECT_DENIED);
    if (!canLeave(caller, { ...conversation, project_people }))
      throw new AppError('conflict', REMOVE_PROJECT_PERSON_REFUSED);
    return changeConversation(tx, id, { remove: [caller.userId] }, caller.userId);
  });
  if (changed) await deps.announce.conversationChanged(id, changed);
}

async function loadManageable(tx: Queryable, caller: Caller, id: string) {
  const conversation = await loadForChange(tx, caller, id);
  if (conversation.type === 'direct') throw new AppError('conflict', DIRECT_REFUSED);
  if (!mayManageParticipants(caller, conversation)) throw new AppError('forbidden', MANAGE_REFUSED);
  return conversation;
}
