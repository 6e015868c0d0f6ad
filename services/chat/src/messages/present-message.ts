import type { ObjectStore } from '@atrium/object-store/s3/object-store';
import type { Attachment } from '@atrium/proto-events/http/chat-attachments';
import { type Message, type ReadBy, SYSTEM_SENDER } from '@atrium/proto-events/http/chat-messages';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { AttachmentRow } from '../attachments/attachment-repository.ts';
import { presentAttachmentWithLinks } from '../attachments/present-attachment.ts';
import type { MessageRow, Timestamp } from './message-repository.ts';
import { abilities } from './policy.ts';

const iso = (timestamp: Timestamp) => new Date(timestamp).toISOString();

/** For broadcasts: the same for all participants; a deleted message has no content and no files. */
export function presentMessage(
  directory: Pick<Directory, 'summary'>,
  row: MessageRow,
  attachments: Attachment[] = [],
): Message {
  const isSystem = row.sender_id === SYSTEM_SENDER._id;
  return {
    _id: row.message_id,
    conversation: row.conversation_id,
    seq: row.seq,
    sender: isSystem ? SYSTEM_SENDER : directory.summary(row.sender_id),
    content: row.deleted_at === null ? row.content : '',
    attachments: row.deleted_at === null ? attachments : [],
    type: isSystem ? 'system' : 'text',
    clientMessageId: row.client_message_id,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    editedAt: row.edited_at === null ? null : iso(row.edited_at),
    deleted: row.deleted_at !== null,
  };
}

type PresenterDeps = { directory: Directory; files: { store: Pick<ObjectStore, 'link'> } };

type ViewerContext = { viewer: Pick<Caller, 'userId' | 'role'>; readBy: ReadBy; files: readonly AttachmentRow[] };

/** For responses to one user: with abilities, readers, and links to its files. */
export function presentMessageFor(
  { directory, files: { store } }: PresenterDeps,
  row: MessageRow,
  { viewer, readBy, files }: ViewerContext,
): Message {
  const attachments = files.map((file) => presentAttachmentWithLinks(store, file));
  return { ...presentMessage(directory, row, attachments), readBy, abilities: abilities(viewer, row) };
}
