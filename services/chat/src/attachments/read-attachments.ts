import { findLimits } from '@atrium/object-store/objects/quota';
import { createPreview } from '@atrium/object-store/thumbnails/present-thumbnail';
import { type ConversationAttachment, MAX_ATTACHMENTS } from '@atrium/proto-events/http/chat/attachments';
import type { Preview } from '@atrium/proto-events/http/previews';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { findReadState } from '../model/conversations/participant-repository.ts';
import {
  type AttachmentPosition,
  countAttachments,
  findReadableAttachment,
  type ListedAttachment,
  listAttachmentRows,
} from '../model/messages/attachment-repository.ts';
import { presentListedAttachment } from '../model/messages/present-message.ts';

type ReadDeps = Pick<Deps, 'db' | 'directory' | 'files'>;

export async function getAttachment(
  { db, directory, files }: ReadDeps,
  caller: Caller,
  id: string,
): Promise<ConversationAttachment> {
  const row = await findReadableAttachment(db, id, caller.userId);
  if (!row) throw notFound('Attachment');
  return presentListedAttachment({ store: files.store, directory }, row);
}

/** Never returns the original of an image, because its metadata may contain the location. */
export async function getAttachmentPreview(
  { db, files, thumbnailQueue }: Pick<Deps, 'db' | 'files' | 'thumbnailQueue'>,
  caller: Caller,
  id: string,
): Promise<Preview> {
  const row = await findReadableAttachment(db, id, caller.userId);
  if (!row) throw notFound('Attachment');
  return createPreview({ db, store: files.store, thumbnailQueue }, { ...row, file_lost: row.file_lost ?? false });
}

type ListAttachmentsParams = { id: string; limit: number; before?: string | undefined };

export async function listAttachments(
  { db, directory, files }: ReadDeps,
  caller: Caller,
  params: ListAttachmentsParams,
) {
  const { id, limit, before } = params;
  const [readState, rows, total] = await Promise.all([
    findReadState(db, id, caller.userId),
    listAttachmentRows(db, id, { limit: limit + 1, before: parseCursor(before) }),
    countAttachments(db, id),
  ]);
  if (!readState) throw notFound('Conversation');
  const pageRows = rows.slice(0, limit);
  const lastRow = pageRows.at(-1);
  return {
    data: pageRows.map((row) => presentListedAttachment({ store: files.store, directory }, row)),
    total,
    page: 1,
    totalPages: Math.ceil(total / limit),
    next: lastRow && rows.length > limit ? toCursor(lastRow) : null,
  };
}

const toCursor = ({ microseconds, position, attachment_id }: ListedAttachment & { microseconds: number }) =>
  `${microseconds}.${position}.${attachment_id}`;

function parseCursor(cursor: string | undefined): AttachmentPosition | undefined {
  const [microseconds, position, id] = cursor?.split('.') ?? [];
  return id === undefined ? undefined : { microseconds: Number(microseconds), position: Number(position), id };
}

export async function getAttachmentLimits({ files }: ReadDeps, { userId }: Caller) {
  const { db, quotas, maxUploadBytes } = files;
  return {
    maxFiles: MAX_ATTACHMENTS,
    maxFileBytes: maxUploadBytes,
    ...(await findLimits(db, { quotas, userId })),
  };
}
