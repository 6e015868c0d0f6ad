import { presentDownloadLink } from '@atrium/object-store/objects/download-link';
import type { ObjectStore } from '@atrium/object-store/s3/object-store';
import { presentThumbnail } from '@atrium/object-store/thumbnails/present-thumbnail';
import type { Attachment, ConversationAttachment } from '@atrium/proto-events/http/chat-attachments';
import { type Message, type ReadBy, SYSTEM_SENDER } from '@atrium/proto-events/http/chat-messages';
import type { Reaction } from '@atrium/proto-events/http/chat-reactions';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { AttachmentRow, ListedAttachment } from './attachment-repository.ts';
import type { MessageRow, Timestamp } from './message-repository.ts';
import { messageAbilities } from './policy.ts';
import type { ReactionRow } from './reaction-repository.ts';

/** Does not parse what PostgreSQL writes into JSON in UTC, because lists contain hundreds of timestamps. */
function toIsoString(timestamp: Timestamp): string {
  if (typeof timestamp !== 'string' || !timestamp.endsWith(JSON_UTC)) return new Date(timestamp).toISOString();
  const milliseconds = timestamp
    .slice(SECONDS_END + 1, -JSON_UTC.length)
    .padEnd(3, '0')
    .slice(0, 3);
  return `${timestamp.slice(0, SECONDS_END)}.${milliseconds}Z`;
}

const JSON_UTC = '+00:00';
const SECONDS_END = 'YYYY-MM-DDTHH:MM:SS'.length;

/** Presents a message for broadcasts, which are the same for all participants. */
export function presentMessage(
  directory: Pick<Directory, 'summary'>,
  row: MessageRow,
  { attachments = [], reactions = [] }: { attachments?: Attachment[] | undefined; reactions?: Reaction[] } = {},
): Message {
  const isSystem = row.sender_id === SYSTEM_SENDER._id;
  return {
    _id: row.message_id,
    conversation: row.conversation_id,
    seq: row.seq,
    sender: isSystem ? SYSTEM_SENDER : directory.summary(row.sender_id),
    content: row.deleted_at === null ? row.content : '',
    attachments: row.deleted_at === null ? attachments : [],
    reactions,
    type: isSystem ? 'system' : 'text',
    clientMessageId: row.client_message_id,
    createdAt: toIsoString(row.created_at),
    updatedAt: toIsoString(row.updated_at),
    editedAt: row.edited_at === null ? null : toIsoString(row.edited_at),
    deleted: row.deleted_at !== null,
  };
}

type PresenterDeps = { directory: Directory; files: { store: Pick<ObjectStore, 'link'> } };

type CallerContext = {
  caller: Pick<Caller, 'userId' | 'role'>;
  readBy: ReadBy;
  files: readonly AttachmentRow[];
  reactions: readonly ReactionRow[];
};

export function presentMessageFor(
  { directory, files: { store } }: PresenterDeps,
  row: MessageRow,
  { caller, readBy, files, reactions }: CallerContext,
): Message {
  const attachments = files.map((file) => presentAttachmentWithLinks(store, file));
  const shown = { attachments, reactions: reactions.map((reaction) => presentReaction(directory, reaction)) };
  return { ...presentMessage(directory, row, shown), readBy, abilities: messageAbilities(caller, row) };
}

function presentReaction(
  directory: Pick<Directory, 'summary'>,
  { emoji, count, mine, user_ids }: ReactionRow,
): Reaction {
  return { emoji, count, mine, users: user_ids.map((id) => directory.summary(id)) };
}

/** Omits what is different for each user. */
export const presentSharedReactions = (directory: Pick<Directory, 'summary'>, rows: readonly ReactionRow[]) =>
  rows.map((row): Reaction => {
    const { mine: _mine, ...reaction } = presentReaction(directory, row);
    return reaction;
  });

/** Omits links, which would expire before they are used. */
export function presentAttachment(row: AttachmentRow): Attachment {
  return {
    _id: row.attachment_id,
    name: row.name,
    size: row.size,
    mimetype: row.mimetype,
    ...(row.width !== null && row.height !== null && { width: row.width, height: row.height }),
    ...(row.file_lost && { fileLost: true as const }),
  };
}

function presentAttachmentWithLinks(store: Pick<ObjectStore, 'link'>, row: AttachmentRow): Attachment {
  return {
    ...presentAttachment(row),
    ...presentDownloadLink(store, row.name, { ...row, file_lost: row.file_lost ?? false }),
    ...presentThumbnail(store, row),
  };
}

export function presentListedAttachment(
  { store, directory }: { store: Pick<ObjectStore, 'link'>; directory: Directory },
  row: ListedAttachment,
): ConversationAttachment {
  return {
    ...presentAttachmentWithLinks(store, row),
    conversation: row.conversation_id,
    message: row.message_id,
    seq: row.seq,
    uploadedBy: directory.summary(row.uploader_id),
    createdAt: toIsoString(row.created_at),
  };
}
