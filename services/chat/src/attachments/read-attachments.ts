import { findLimits } from '@atrium/object-store/objects/quota';
import { createPreview } from '@atrium/object-store/thumbnails/create-preview';
import { type ConversationAttachment, MOST_ATTACHMENTS } from '@atrium/proto-events/http/chat-attachments';
import type { Preview } from '@atrium/proto-events/preview';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { findReadState } from '../conversations/participant-repository.ts';
import type { Deps } from '../deps.ts';
import { type Before, countAttachments, findReadableAttachment, listAttachmentRows } from './attachment-repository.ts';
import { answerListed } from './present-attachment.ts';

type Reading = Pick<Deps, 'db' | 'directory' | 'files'>;

/** One file, with a link that is minted now. Only participants read, as with messages. */
export async function getAttachment(
  { db, directory, files }: Reading,
  caller: Caller,
  id: string,
): Promise<ConversationAttachment> {
  const row = await findReadableAttachment(db, id, caller.userId);
  if (!row) throw notFound('Attachment');
  return answerListed({ store: files.store, directory }, row);
}

/** A link to look at one file. An image is never shown itself: what it says of where it was taken stays with who downloads it. */
export async function getAttachmentPreview(
  { db, files, pictures }: Pick<Deps, 'db' | 'files' | 'pictures'>,
  caller: Caller,
  id: string,
): Promise<Preview> {
  const row = await findReadableAttachment(db, id, caller.userId);
  if (!row) throw notFound('Attachment');
  return createPreview({ db, store: files.store, pictures }, { ...row, file_lost: row.file_lost ?? false });
}

type Asked = { id: string; limit: number; before?: string | undefined };

/** The files of a conversation, newest first. */
export async function listAttachments({ db, directory, files }: Reading, caller: Caller, asked: Asked) {
  const { id, limit, before } = asked;
  const [standing, rows, total] = await Promise.all([
    findReadState(db, id, caller.userId),
    listAttachmentRows(db, id, { limit: limit + 1, before: placeOf(before) }),
    countAttachments(db, id),
  ]);
  if (!standing) throw notFound('Conversation');
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map((row) => answerListed({ store: files.store, directory }, row)),
    total,
    page: 1,
    totalPages: Math.ceil(total / limit),
    next: last && rows.length > limit ? `${last.seq}.${last.position}` : null,
  };
}

function placeOf(cursor: string | undefined): Before | undefined {
  const [seq, position = 0] = cursor?.split('.').map(Number) ?? [];
  return seq === undefined ? undefined : { seq, position };
}

/** What a browser is told before it sends. */
export async function getAttachmentLimits({ files }: Reading, { userId }: Caller) {
  const { db, quotas, maxUploadBytes } = files;
  return {
    maxFiles: MOST_ATTACHMENTS,
    maxFileBytes: maxUploadBytes,
    ...(await findLimits(db, { quotas, userId })),
  };
}
