import type { Caller } from '@atrium/service-kit/http/authenticate';

type Actor = Pick<Caller, 'userId' | 'role'>;
type ConversationFields = { type: string; created_by: string | null; manager_id: string | null };
type ChannelFields = ConversationFields & {
  posting: string;
  mention_everyone: string;
  add_people: string;
  archived_at: Date | null;
};
type MessageFields = { sender_id: string };

export const MANAGE_DENIED = "You don't have permission to manage this conversation.";
export const DIRECT_CHANGE_DENIED = 'A direct conversation has no name and no other people';
export const DIRECT_DELETE_DENIED = 'A direct conversation cannot be deleted';
export const LEAVE_DIRECT_DENIED = 'A direct conversation cannot be left';
export const REMOVE_SELF_DENIED = 'You cannot remove yourself from the conversation';
export const REMOVE_PROJECT_MEMBER_DENIED = 'They belong to this project. Remove them from the project instead.';
export const REMOVE_CREATOR_DENIED = 'The creator cannot be removed from the conversation';
export const ARCHIVED = 'This channel is archived';
export const POSTING_DENIED = 'Only managers of this channel can write in it';
export const MENTION_DENIED = 'Only managers of this channel can mention everyone, departments, or projects';
export const REQUIRED_DENIED = 'This channel is required for a department or project that they belong to';
export const LEAVE_REQUIRED_DENIED = 'This channel is required for your department or project, so you cannot leave it';
export const REQUIRE_DENIED = 'Only administrators can make a channel required';
export const NOT_A_CHANNEL = 'Only a channel has these settings';
export const EDIT_DENIED = 'You can only edit your own messages';
export const POLL_EDIT_DENIED = 'A poll cannot be edited';
export const CLOSE_DENIED = 'You can only close your own polls';
export const DELETE_DENIED = 'You can only delete your own messages';

/** Administrators can also see groups and project conversations, to manage them. */
export const canSeeConversation = (
  caller: Actor,
  conversation: ConversationFields & { last_read_seq: number | null },
) => conversation.last_read_seq !== null || (caller.role === 'admin' && conversation.type !== 'direct');

const isCreator = (caller: Actor, { created_by }: ConversationFields) => created_by === caller.userId;
const isManager = (caller: Actor, { manager_id }: ConversationFields) => manager_id === caller.userId;

export const canRename = (caller: Actor, conversation: ConversationFields) =>
  conversation.type !== 'direct' &&
  (caller.role === 'admin' || isCreator(caller, conversation) || isManager(caller, conversation));

export const canManageParticipants = (caller: Actor, conversation: ConversationFields) =>
  conversation.type !== 'direct' &&
  (caller.role === 'admin' ||
    (conversation.type === 'group' ? isCreator(caller, conversation) : isManager(caller, conversation)));

export const canDeleteConversation = (caller: Actor, conversation: ConversationFields) =>
  conversation.type !== 'direct' && caller.role === 'admin';

/** Also who can change its settings, archive it, and write if only managers can. */
const canManageChannel = (caller: Actor, conversation: ConversationFields) =>
  conversation.type === 'group' && canManageParticipants(caller, conversation);

export const canArchive = canManageChannel;

export const canPost = (caller: Actor, conversation: ChannelFields) =>
  conversation.archived_at === null && (conversation.posting === 'everyone' || canManageChannel(caller, conversation));

/** Also those who are online, departments, and projects. */
export const canMentionEveryone = (caller: Actor, conversation: ChannelFields) =>
  conversation.mention_everyone === 'everyone' || canManageChannel(caller, conversation);

export const canAddPeople = (caller: Actor, conversation: ChannelFields & { last_read_seq: number | null }) =>
  canManageParticipants(caller, conversation) ||
  (conversation.type === 'group' && conversation.last_read_seq !== null && conversation.add_people === 'everyone');

export const canManageGroups = canManageChannel;

export const canRequireGroups = (caller: Actor, conversation: Pick<ConversationFields, 'type'>) =>
  conversation.type === 'group' && caller.role === 'admin';

type ProjectFields = { project_member_ids: string[] | null };
type MembershipFields = ProjectFields & { is_required: boolean };

/** Project members leave the conversation only with the project. */
export const canLeaveProject = (caller: Actor, { type, project_member_ids }: ConversationFields & ProjectFields) =>
  type === 'group' || (type === 'project' && !project_member_ids?.includes(caller.userId));

const canLeave = (caller: Actor, conversation: ConversationFields & MembershipFields) =>
  canLeaveProject(caller, conversation) && !conversation.is_required;

export function conversationAbilities(
  caller: Actor,
  conversation: ChannelFields & MembershipFields & { last_read_seq: number | null },
) {
  return {
    leave: conversation.last_read_seq !== null && canLeave(caller, conversation),
    rename: canRename(caller, conversation),
    post: conversation.last_read_seq !== null && canPost(caller, conversation),
    archive: canArchive(caller, conversation),
    mentionEveryone: conversation.last_read_seq !== null && canMentionEveryone(caller, conversation),
    addPeople: canAddPeople(caller, conversation),
    manageParticipants: canManageParticipants(caller, conversation),
    manageGroups: canManageGroups(caller, conversation),
    requireGroups: canRequireGroups(caller, conversation),
    delete: canDeleteConversation(caller, conversation),
    deleteMessages: canDeleteAnyMessage(caller),
  };
}

/** Administrators can also see messages of groups and project conversations, to delete them. */
export const canSeeMessage = (caller: Actor, message: { conversation_type: string; is_participant: boolean }) =>
  message.is_participant || (caller.role === 'admin' && message.conversation_type !== 'direct');

export const canEditMessage = (caller: Actor, message: MessageFields) => message.sender_id === caller.userId;

export const canDeleteMessage = (caller: Actor, message: MessageFields) =>
  message.sender_id === caller.userId || canDeleteAnyMessage(caller);

const canDeleteAnyMessage = (caller: Actor) => caller.role === 'admin';

export function messageAbilities(caller: Actor, message: MessageFields & { deleted_at: unknown; poll: unknown }) {
  const isActive = message.deleted_at === null;
  return {
    edit: isActive && message.poll === null && canEditMessage(caller, message),
    delete: isActive && canDeleteMessage(caller, message),
  };
}
