import type { EventOf } from '@atrium/proto-events/event';
import type { projectDeleted } from '@atrium/proto-events/events/projects';
import type { departmentDeleted } from '@atrium/proto-events/events/users';
import { MAX_MEMBER_GROUPS, type MemberGroup } from '@atrium/proto-events/http/chat/channel-settings';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { requireProject } from '@atrium/service-kit/directory/project-directory';
import { AppError, invalidField, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { type ConversationRow, lockConversation } from '../model/conversations/conversation-repository.ts';
import {
  deleteLeftMembersOf,
  deleteMemberGroup,
  insertSync,
  listConversationsOfGroup,
  saveMemberGroup,
} from '../model/conversations/member-group-repository.ts';
import { canManageGroups, MANAGE_DENIED, NOT_A_CHANNEL, REQUIRE_DENIED } from '../model/policy.ts';
import type { ConversationChange } from '../sockets/broadcaster.ts';
import { changeConversation, loadForChange } from './conversation-changes.ts';
import { readAfterChange } from './read-conversations.ts';

export type GroupParams = Pick<MemberGroup, 'type' | '_id' | 'required'>;

/** A new project may not have reached this pod yet. */
const PROJECT_WAIT_MS = 1_000;
const TOO_MANY_GROUPS = `A channel can have at most ${MAX_MEMBER_GROUPS} departments and projects`;

export async function addMemberGroup(
  deps: Deps,
  caller: Caller,
  { id, group }: { id: string; group: GroupParams },
): Promise<Conversation> {
  await awaitGroup(deps, group);
  await changeGroups(deps, caller, id, async (tx, conversation) => {
    assertCanSave(deps, caller, group);
    const groups = conversation.member_groups ?? [];
    const existing = groups.find(({ group_id }) => group_id === group._id);
    if (existing?.required === group.required) return false;
    if (existing) assertCanRequire(caller);
    if (!existing && groups.length >= MAX_MEMBER_GROUPS) throw new AppError('conflict', TOO_MANY_GROUPS);
    await saveGroup(tx, id, group);
    return true;
  });
  return readAfterChange(deps, caller, id);
}

export async function changeMemberGroup(
  deps: Deps,
  caller: Caller,
  { id, group }: { id: string; group: GroupParams },
): Promise<Conversation> {
  await changeGroups(deps, caller, id, async (tx, conversation) => {
    const existing = requireGroup(conversation, group);
    assertCanRequire(caller);
    if (existing.required === group.required) return false;
    await saveGroup(tx, id, group);
    return true;
  });
  return readAfterChange(deps, caller, id);
}

export async function removeMemberGroup(
  deps: Deps,
  caller: Caller,
  { id, group }: { id: string; group: Omit<GroupParams, 'required'> },
): Promise<void> {
  await changeGroups(deps, caller, id, async (tx, conversation) => {
    if (requireGroup(conversation, group).required) assertCanRequire(caller);
    await deleteGroup(tx, id, group._id);
    return true;
  });
}

/** A deleted department or project is in no channel. */
export const removeDeletedGroup =
  (deps: Pick<Deps, 'db' | 'broadcaster' | 'memberSync'>) =>
  async ({ data, actorId }: EventOf<typeof departmentDeleted> | EventOf<typeof projectDeleted>): Promise<void> => {
    const groupId = 'departmentId' in data ? data.departmentId : data.projectId;
    for (const id of await listConversationsOfGroup(deps.db, groupId)) {
      const change = await deps.db.transaction(async (tx) => {
        await lockConversation(tx, id);
        if (!(await deleteGroup(tx, id, groupId))) return undefined;
        return changeConversation(tx, id, { memberGroups: true }, actorId);
      });
      announce(deps, id, change);
    }
  };

/** Throws `validation_failed` for an unknown group, and `forbidden` for a required one unless by an administrator. */
export function assertCanSave({ directory, projects }: Deps, caller: Caller, group: GroupParams): void {
  if (group.type === 'project') requireProject(projects, group._id);
  else if (!directory.department(group._id)?.isActive) throw invalidField('id', 'Department not found');
  if (group.required) assertCanRequire(caller);
}

export async function awaitGroup({ projects }: Deps, { type, _id }: Pick<GroupParams, 'type' | '_id'>): Promise<void> {
  if (type === 'project') await projects.whenProject(_id, PROJECT_WAIT_MS);
}

/** Its members become participants in the background. Those who had left return. */
export async function saveGroup(tx: Queryable, conversationId: string, group: GroupParams): Promise<void> {
  await saveMemberGroup(tx, conversationId, { type: group.type, group_id: group._id, required: group.required });
  await deleteLeftMembersOf(tx, conversationId, group._id);
  await insertSync(tx, conversationId);
}

async function deleteGroup(tx: Queryable, conversationId: string, groupId: string): Promise<boolean> {
  if (!(await deleteMemberGroup(tx, conversationId, groupId))) return false;
  await insertSync(tx, conversationId);
  return true;
}

async function changeGroups(
  deps: Deps,
  caller: Caller,
  id: string,
  change: (tx: Queryable, conversation: ConversationRow) => Promise<boolean>,
): Promise<void> {
  const changed = await deps.db.transaction(async (tx) => {
    const conversation = await loadForChange(tx, caller, id);
    if (conversation.type !== 'group') throw new AppError('conflict', NOT_A_CHANNEL);
    if (!canManageGroups(caller, conversation)) throw new AppError('forbidden', MANAGE_DENIED);
    return (await change(tx, conversation))
      ? changeConversation(tx, id, { memberGroups: true }, caller.userId)
      : undefined;
  });
  announce(deps, id, changed);
}

function announce(
  { broadcaster, memberSync }: Pick<Deps, 'broadcaster' | 'memberSync'>,
  id: string,
  change: ConversationChange | undefined,
): void {
  if (!change) return;
  memberSync.wake();
  broadcaster.conversationChanged(id, change);
}

function requireGroup({ member_groups }: ConversationRow, { type, _id }: Pick<GroupParams, 'type' | '_id'>) {
  const group = member_groups?.find((row) => row.group_id === _id && row.type === type);
  if (!group) throw notFound(type === 'department' ? 'Department' : 'Project');
  return group;
}

function assertCanRequire(caller: Caller): void {
  if (caller.role !== 'admin') throw new AppError('forbidden', REQUIRE_DENIED);
}
