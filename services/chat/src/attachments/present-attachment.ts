import { objectUrl } from '@atrium/object-store/objects/object-url';
import type { ObjectStore } from '@atrium/object-store/s3/object-store';
import { thumbnailOf } from '@atrium/object-store/thumbnails/thumbnail-of';
import type { Attachment, ConversationAttachment } from '@atrium/proto-events/http/chat-attachments';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { AttachmentRow, ListedAttachment } from './attachment-repository.ts';

/** For broadcasts: without links, which would expire before they are used. */
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

/** For responses to one user, with fresh links. */
export function presentAttachmentWithLinks(store: Pick<ObjectStore, 'link'>, row: AttachmentRow): Attachment {
  return {
    ...presentAttachment(row),
    ...objectUrl(store, row.name, { ...row, file_lost: row.file_lost ?? false }),
    ...thumbnailOf(store, row),
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
    createdAt: new Date(row.created_at).toISOString(),
  };
}
