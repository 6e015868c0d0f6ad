import { linkOf } from '@atrium/object-store/objects/object-url';
import type { ObjectStore } from '@atrium/object-store/s3/object-store';
import { thumbnailOf } from '@atrium/object-store/thumbnails/thumbnail-of';
import type { Attachment, ConversationAttachment } from '@atrium/proto-events/http/chat-attachments';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { AttachmentRow, ListedAttachment } from './attachment-repository.ts';

/** A file as everybody in the conversation may be told of it: without a link, which would have run out before it is used. */
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

/** The same for an answer to one person, with links that were minted for it. */
export function answerAttachment(store: Pick<ObjectStore, 'link'>, row: AttachmentRow): Attachment {
  return {
    ...presentAttachment(row),
    ...linkOf(store, row.name, { ...row, file_lost: row.file_lost ?? false }),
    ...thumbnailOf(store, row),
  };
}

/** A file among those of its conversation. */
export function answerListed(
  { store, directory }: { store: Pick<ObjectStore, 'link'>; directory: Directory },
  row: ListedAttachment,
): ConversationAttachment {
  return {
    ...answerAttachment(store, row),
    conversation: row.conversation_id,
    message: row.message_id,
    seq: row.seq,
    uploadedBy: directory.summary(row.uploader_id),
    createdAt: new Date(row.created_at).toISOString(),
  };
}
