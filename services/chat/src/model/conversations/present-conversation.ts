import type { MemberGroup } from '@atrium/proto-events/http/chat/channel-settings';
import type { Conversation, Preferences, SharedConversation } from '@atrium/proto-events/http/chat/conversations';
import { BROADCAST_PARTICIPANTS } from '@atrium/proto-events/realtime';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { AttachmentRow } from '../messages/attachment-repository.ts';
import type { MessageRow } from '../messages/message-repository.ts';
import { presentAttachment, presentMessage } from '../messages/present-message.ts';
import { conversationAbilities } from '../policy.ts';
import type { ConversationRow } from './conversation-repository.ts';
import type { MemberGroupRow } from './member-group-repository.ts';

type UserSource = Pick<Directory, 'summary' | 'groupName'>;

/** Administrators who are not participants do not see the last message. */
export function presentConversation(
  directory: UserSource,
  caller: Pick<Caller, 'userId' | 'role'>,
  row: ConversationRow,
): Conversation {
  const isParticipant = row.last_read_seq !== null;
  const common = presentCommon(directory, row);
  return { ...common, lastMessage: isParticipant ? common.lastMessage : null, ...presentPersonal(caller, row) };
}

export function presentShared(directory: UserSource, row: ConversationRow): SharedConversation {
  const participant_ids = row.participant_ids.slice(0, BROADCAST_PARTICIPANTS);
  return { ...presentCommon(directory, { ...row, participant_ids }), project: presentProject(row) };
}

export function presentPersonal(caller: Pick<Caller, 'userId' | 'role'>, row: ConversationRow) {
  return {
    lastReadSeq: row.last_read_seq ?? row.last_seq,
    unreadCount: unreadCount(row),
    readRevision: row.read_revision ?? 0,
    preferences: presentPreferences(row),
    abilities: conversationAbilities(caller, row),
  };
}

/** Those of non-participants are the defaults. */
export const presentPreferences = ({
  notify,
  starred,
  hidden,
  section,
}: Pick<ConversationRow, 'notify' | 'starred' | 'hidden' | 'section'>): Preferences => ({
  notify: notify ?? 'all',
  starred: starred ?? false,
  hidden: hidden ?? false,
  section,
});

function presentCommon(directory: UserSource, row: ConversationRow): SharedConversation {
  return {
    _id: row.conversation_id,
    type: row.type,
    title: row.title,
    description: row.description,
    visibility: row.visibility,
    purpose: row.purpose,
    posting: row.posting,
    mentionEveryone: row.mention_everyone,
    addPeople: row.add_people,
    memberGroups: presentMemberGroups(directory, row.member_groups),
    archived: row.archived_at !== null,
    project: presentProject(row),
    createdBy: row.created_by === null ? null : directory.summary(row.created_by),
    participants: row.participant_ids.map((id) => directory.summary(id)),
    participantCount: row.participant_count,
    lastMessage: row.last_message ? presentLastMessage(directory, row.last_message, row.last_files) : null,
    lastSeq: row.last_seq,
    revision: row.revision ?? 0,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}

const presentMemberGroups = (directory: UserSource, rows: MemberGroupRow[] | null): MemberGroup[] =>
  (rows ?? []).map(({ type, group_id, required }) => ({
    type,
    _id: group_id,
    name: directory.groupName(type, group_id) ?? '',
    required,
  }));

const presentLastMessage = (directory: UserSource, message: MessageRow, files: AttachmentRow[] | null) =>
  presentMessage(directory, message, { attachments: files?.map(presentAttachment) });

function presentProject({ type, project_id, manager_id, project_member_ids, participant_ids }: ConversationRow) {
  if (project_id === null) return null;
  const project = { _id: project_id, projectManager: manager_id ?? '' };
  if (type !== 'project') return project;
  const members = new Set(project_member_ids);
  return { ...project, guests: participant_ids.filter((id) => !members.has(id)) };
}

export function unreadCount(row: {
  last_seq: number;
  last_read_seq: number | null;
  own_after_read: number | null;
}): number {
  return row.last_read_seq === null ? 0 : row.last_seq - row.last_read_seq - (row.own_after_read ?? 0);
}

export function conversationEventData(row: ConversationRow) {
  return {
    conversationId: row.conversation_id,
    type: row.type,
    projectId: row.project_id,
    title: row.title,
    participantIds: row.participant_ids,
    visibility: row.visibility,
    version: row.version,
  };
}
