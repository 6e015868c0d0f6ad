import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { Conversation, renameConversation as contract } from '@atrium/proto-events/http/chat/conversations';
import { awaitActiveUsers } from '@atrium/service-kit/directory/active-users';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import type { ConversationRow } from '../model/conversations/conversation-repository.ts';
import { deleteLeftMembers, isRequired, recordLeft } from '../model/conversations/member-group-repository.ts';
import {
  canAddPeople,
  canArchive,
  canDeleteConversation,
  canLeaveProject,
  canManageParticipants,
  canRename,
  DIRECT_CHANGE_DENIED,
  DIRECT_DELETE_DENIED,
  LEAVE_DIRECT_DENIED,
  LEAVE_REQUIRED_DENIED,
  MANAGE_DENIED,
  NOT_A_CHANNEL,
  REMOVE_CREATOR_DENIED,
  REMOVE_PROJECT_MEMBER_DENIED,
  REMOVE_SELF_DENIED,
  REQUIRED_DENIED,
} from '../model/policy.ts';
import {
  assertActiveParticipants,
  changeConversation,
  discardConversation,
  loadForChange,
} from './conversation-changes.ts';
import { closeProject, lockProjectMemberIds } from './project-repository.ts';
import { readAfterChange } from './read-conversations.ts';

type ParticipantParams = { id: string; userId: string };

export async function addParticipant(
  deps: Deps,
  caller: Caller,
  { id, userId }: ParticipantParams,
): Promise<Conversation> {
  await awaitActiveUsers(deps.directory, [userId]);
  const change = await deps.db.transaction(async (tx) => {
    const conversation = await loadForChange(tx, caller, id);
    if (conversation.type === 'direct') throw new AppError('conflict', DIRECT_CHANGE_DENIED);
    if (!canAddPeople(caller, conversation)) throw new AppError('forbidden', MANAGE_DENIED);
    assertActiveParticipants(deps.directory, 'userId', [userId]);
    await deleteLeftMembers(tx, id, [userId]);
    return changeConversation(tx, id, { add: [userId] }, caller.userId);
  });
  if (change) deps.broadcaster.conversationChanged(id, change);
  return readAfterChange(deps, caller, id);
}

export async function removeParticipant(deps: Deps, caller: Caller, { id, userId }: ParticipantParams): Promise<void> {
  const change = await deps.db.transaction(async (tx) => {
    // Locks the project before the conversation, in the same order as project events do.
    const projectMemberIds = await lockProjectMemberIds(tx, id);
    const conversation = await loadManageable(tx, caller, id);
    if (userId === caller.userId) throw new AppError('conflict', REMOVE_SELF_DENIED);
    if (projectMemberIds.includes(userId)) throw new AppError('conflict', REMOVE_PROJECT_MEMBER_DENIED);
    if (userId === conversation.created_by) throw new AppError('conflict', REMOVE_CREATOR_DENIED);
    if (await isRequired(tx, id, userId)) throw new AppError('conflict', REQUIRED_DENIED);
    await recordLeft(tx, id, userId);
    return changeConversation(tx, id, { remove: [userId] }, caller.userId);
  });
  if (!change) throw notFound('Participant');
  deps.broadcaster.conversationChanged(id, change);
}

export async function leaveConversation(deps: Deps, caller: Caller, id: string): Promise<void> {
  const change = await deps.db.transaction(async (tx) => {
    // Locks the project before the conversation, in the same order as project events do.
    const project_member_ids = await lockProjectMemberIds(tx, id);
    const conversation = await loadForChange(tx, caller, id);
    if (conversation.last_read_seq === null) throw notFound('Conversation');
    if (conversation.type === 'direct') throw new AppError('conflict', LEAVE_DIRECT_DENIED);
    if (!canLeaveProject(caller, { ...conversation, project_member_ids }))
      throw new AppError('conflict', REMOVE_PROJECT_MEMBER_DENIED);
    if (conversation.is_required) throw new AppError('conflict', LEAVE_REQUIRED_DENIED);
    await recordLeft(tx, id, caller.userId);
    return changeConversation(tx, id, { remove: [caller.userId] }, caller.userId);
  });
  if (change) deps.broadcaster.conversationChanged(id, { ...change, isLeaving: true });
}

export function assertCanManageChannel(caller: Caller, conversation: ConversationRow): void {
  if (conversation.type !== 'group') throw new AppError('conflict', NOT_A_CHANNEL);
  if (!canArchive(caller, conversation)) throw new AppError('forbidden', MANAGE_DENIED);
}

async function loadManageable(tx: Queryable, caller: Caller, id: string) {
  const conversation = await loadForChange(tx, caller, id);
  if (conversation.type === 'direct') throw new AppError('conflict', DIRECT_CHANGE_DENIED);
  if (!canManageParticipants(caller, conversation)) throw new AppError('forbidden', MANAGE_DENIED);
  return conversation;
}

export async function renameConversation(
  deps: Deps,
  caller: Caller,
  { id, ...patch }: { id: string } & RequestOf<typeof contract>['body'],
): Promise<Conversation> {
  const change = await deps.db.transaction(async (tx) => {
    const conversation = await loadForChange(tx, caller, id);
    if (conversation.type === 'direct') throw new AppError('conflict', DIRECT_CHANGE_DENIED);
    if (!canRename(caller, conversation)) throw new AppError('forbidden', MANAGE_DENIED);
    const current = settingsOf(conversation);
    const fields = Object.entries(patch).filter(
      ([name, value]) => value !== undefined && value !== current[name as keyof typeof patch],
    );
    if (fields.some(([name]) => name !== 'title')) assertCanManageChannel(caller, conversation);
    return changeConversation(tx, id, Object.fromEntries(fields), caller.userId);
  });
  if (change) deps.broadcaster.conversationChanged(id, change);
  return readAfterChange(deps, caller, id);
}

const settingsOf = ({ title, purpose, visibility, posting, mention_everyone, add_people }: ConversationRow) => ({
  ...{ title, purpose, visibility, posting },
  mentionEveryone: mention_everyone,
  addPeople: add_people,
});

/** A project whose conversation was deleted does not get a new one. */
export async function deleteConversation({ db, broadcaster }: Deps, caller: Caller, id: string): Promise<void> {
  const formerParticipants = await db.transaction(async (tx) => {
    // Locks the project before the conversation, in the same order as project events do.
    await closeProject(tx, id);
    const conversation = await loadForChange(tx, caller, id);
    if (conversation.type === 'direct') throw new AppError('forbidden', DIRECT_DELETE_DENIED);
    if (!canDeleteConversation(caller, conversation)) throw new AppError('forbidden', MANAGE_DENIED);
    return discardConversation(tx, conversation, caller.userId);
  });
  broadcaster.conversationDeleted(id, formerParticipants);
}
