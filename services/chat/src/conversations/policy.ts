import type { Caller } from '@atrium/service-kit/http/authenticate';
import { canDeleteAny } from '../messages/policy.ts';

type Viewer = Pick<Caller, 'userId' | 'role'>;
type Owned = { type: string; created_by: string | null; manager_id: string | null };

export const MANAGE_DENIED = "You don't have permission to manage this conversation.";
export const DIRECT_CHANGE_DENIED = 'A direct conversation has no name and no other people';
export const DIRECT_DELETE_DENIED = 'A direct conversation cannot be deleted';
export const LEAVE_DIRECT_DENIED = 'A direct conversation cannot be left';
export const REMOVE_SELF_DENIED = 'You cannot remove yourself from the conversation';
export const REMOVE_PROJECT_MEMBER_DENIED = 'They belong to this project. Remove them from the project instead.';
export const REMOVE_CREATOR_DENIED = 'The creator cannot be removed from the conversation';

/** Administrators can also see groups and project conversations, to manage them. */
export const canSee = (viewer: Viewer, conversation: Owned & { last_read_seq: number | null }) =>
  conversation.last_read_seq !== null || (viewer.role === 'admin' && conversation.type !== 'direct');

const isCreator = (viewer: Viewer, { created_by }: Owned) => created_by === viewer.userId;
const isManager = (viewer: Viewer, { manager_id }: Owned) => manager_id === viewer.userId;

export const canRename = (viewer: Viewer, conversation: Owned) =>
  conversation.type !== 'direct' &&
  (viewer.role === 'admin' || isCreator(viewer, conversation) || isManager(viewer, conversation));

export const canManageParticipants = (viewer: Viewer, conversation: Owned) =>
  conversation.type !== 'direct' &&
  (viewer.role === 'admin' ||
    (conversation.type === 'group' ? isCreator(viewer, conversation) : isManager(viewer, conversation)));

export const canDelete = (viewer: Viewer, conversation: Owned) =>
  conversation.type !== 'direct' && viewer.role === 'admin';

/** Project members leave the conversation only with the project. */
export const canLeave = (viewer: Viewer, { type, project_people }: Owned & { project_people: string[] | null }) =>
  type === 'group' || (type === 'project' && !project_people?.includes(viewer.userId));

export function abilities(
  viewer: Viewer,
  conversation: Owned & { project_people: string[] | null; last_read_seq: number | null },
) {
  return {
    leave: conversation.last_read_seq !== null && canLeave(viewer, conversation),
    rename: canRename(viewer, conversation),
    manageParticipants: canManageParticipants(viewer, conversation),
    delete: canDelete(viewer, conversation),
    deleteMessages: canDeleteAny(viewer),
  };
}
