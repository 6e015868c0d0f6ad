import type { ObjectStore } from '@atrium/object-store/s3/object-store';
import type { Attachment } from '@atrium/proto-events/http/chat-attachments';
import { type Message, type ReadBy, SYSTEM_SENDER } from '@atrium/proto-events/http/chat-messages';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { AttachmentRow } from '../attachments/attachment-repository.ts';
import { answerAttachment } from '../attachments/present-attachment.ts';
import type { MessageRow, Moment } from './message-repository.ts';
import { abilities } from './policy.ts';

const iso = (moment: Moment) => new Date(moment).toISOString();

/** A message as every participant sees it; a deleted one without content and files. */
export function presentMessage(
  directory: Pick<Directory, 'summary'>,
  row: MessageRow,
  attachments: Attachment[] = [],
): Message {
  const isOurs = row.sender_id === SYSTEM_SENDER._id;
  return {
    _id: row.message_id,
    conversation: row.conversation_id,
    seq: row.seq,
    sender: isOurs ? SYSTEM_SENDER : directory.summary(row.sender_id),
    content: row.deleted_at === null ? row.content : '',
    attachments: row.deleted_at === null ? attachments : [],
    type: isOurs ? 'system' : 'text',
    clientMessageId: row.client_message_id,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    editedAt: row.edited_at === null ? null : iso(row.edited_at),
    deleted: row.deleted_at !== null,
  };
}

type Presenting = { directory: Directory; files: { store: Pick<ObjectStore, 'link'> } };

type Answering = { viewer: Pick<Caller, 'userId' | 'role'>; readBy: ReadBy; files: readonly AttachmentRow[] };

/** The same with what one person may do with it, who has read it and links to its files, for an answer to that person. */
export function answerMessage(
  { directory, files: { store } }: Presenting,
  row: MessageRow,
  { viewer, readBy, files }: Answering,
): Message {
  const attachments = files.map((file) => answerAttachment(store, file));
  return { ...presentMessage(directory, row, attachments), readBy, abilities: abilities(viewer, row) };
}
