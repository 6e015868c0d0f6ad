import type { Caller } from '@atrium/service-kit/http/authenticate';

type Viewer = Pick<Caller, 'userId' | 'role'>;
type ConversationFields = { type: string; created_by: string | null; manager_id: string | null };
type MessageFields = { sender_id: string };

export const MANAGE_DENIED = "You don't have permission to manage this conversation.";
export const DIRECT_CHANGE_DENIED = 'A direct conversation has no name and no other people';
export const DIRECT_DELETE_DENIED = 'A direct conversation cannot be deleted';
export const LEAVE_DIRECT_DENIED = 'A direct conversation cannot be left';
export const REMOVE_SELF_DENIED = 'You cannot remove yourself from the conversation';
export const REMOVE_PROJECT_MEMBER_DENIED = 'They belong to this project. Remove them from the project instead.';
export const REMOVE_CREATOR_DENIED = 'The creator cannot be removed from the conversation';
export const EDIT_DENIED = 'You can only edit your own messages';
export const DELETE_DENIED = 'You can only delete your own messages';

/** Administrators can also see groups and project conversations, to manage them. */
export const canSeeConversation = (
  viewer: Viewer,
  conversation: ConversationFields & { last_read_seq: number | null },
) => conversation.last_read_seq !== null || (viewer.role === 'admin' && conversation.type !== 'direct');

const isCreator = (viewer: Viewer, { created_by }: ConversationFields) => created_by === viewer.userId;
const isManager = (viewer: Viewer, { manager_id }: ConversationFields) => manager_id === viewer.userId;

export const canRename = (viewer: Viewer, conversation: ConversationFields) =>
  conversation.type !== 'direct' &&
  (viewer.role === 'admin' || isCreator(viewer, conversation) || isManager(viewer, conversation));

export const canManageParticipants = (viewer: Viewer, conversation: ConversationFields) =>
  conversation.type !== 'direct' &&
  (viewer.role === 'admin' ||
    (conversation.type === 'group' ? isCreator(viewer, conversation) : isManager(viewer, conversation)));

export const canDeleteConversation = (viewer: Viewer, conversation: ConversationFields) =>
  conversation.type !== 'direct' && viewer.role === 'admin';

type ProjectFields = { project_member_ids: string[] | null };

/** Project members leave the conversation only with the project. */
export const canLeave = (viewer: Viewer, { type, project_member_ids }: ConversationFields & ProjectFields) =>
  type === 'group' || (type === 'project' && !project_member_ids?.includes(viewer.userId));

export function conversationAbilities(
  viewer: Viewer,
  conversation: ConversationFields & ProjectFields & { last_read_seq: number | null },
) {
  return {
    leave: conversation.last_read_seq !== null && canLeave(viewer, conversation),
    rename: canRename(viewer, conversation),
    manageParticipants: canManageParticipants(viewer, conversation),
    delete: canDeleteConversation(viewer, conversation),
    deleteMessages: canDeleteAnyMessage(viewer),
  };
}

/** Administrators can also see messages of groups and project conversations, to delete them. */
export const canSeeMessage = (viewer: Viewer, message: { conversation_type: string; is_participant: boolean }) =>
  message.is_participant || (viewer.role === 'admin' && message.conversation_type !== 'direct');

export const canEditMessage = (viewer: Viewer, message: MessageFields) => message.sender_id === viewer.userId;

export const canDeleteMessage = (viewer: Viewer, message: MessageFields) =>
  message.sender_id === viewer.userId || canDeleteAnyMessage(viewer);

const canDeleteAnyMessage = (viewer: Viewer) => viewer.role === 'admin';

export function messageAbilities(viewer: Viewer, message: MessageFields & { deleted_at: unknown }) {
  const isActive = message.deleted_at === null;
  return {
    edit: isActive && canEditMessage(viewer, message),
    delete: isActive && canDeleteMessage(viewer, message),
  };
}
