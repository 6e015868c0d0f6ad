import { attachmentSaved } from '@atrium/proto-events/events/chat';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, once } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Outdated } from '@atrium/service-kit/postgres/housekeeping';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { findReadableAttachment } from './attachment-repository.ts';

/** Long after documents has its copy, unless it was away for days. */
export const TAKEN_OVER: Outdated = ['saved_attachments', "saved_at < now() - interval '7 days'"];

/** Has documents make a private document of a file, with a copy that is made within the object store. */
export async function saveAttachment(
  { db }: Deps,
  caller: Caller,
  { id, key }: { id: string; key: IdempotencyKey | undefined },
): Promise<{ document: string }> {
  return once(db, { caller, key }, async (tx) => {
    const file = await findReadableAttachment(tx, id, caller.userId);
    const document = newId();
    const sha256 = file && !file.file_lost && (await holdObject(tx, id, document));
    if (!sha256) throw notFound('Attachment');
    const { name, extension, mimetype, size, object_key: objectKey } = file;
    await appendEvent(tx, {
      event: attachmentSaved,
      data: { documentId: document, savedBy: caller.userId, name, extension, mimetype, size, sha256, objectKey },
      aggregate: document,
      actorId: caller.userId,
    });
    return { document };
  });
}

/** Answers the content's SHA-256; undefined where the message went at this moment, which this waits for. */
async function holdObject(tx: Queryable, attachmentId: string, documentId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ sha256: string }>(
    `insert into saved_attachments (document_id, object_key, sha256, size, mimetype, uploader_id)
     select $2, object_key, sha256, size, mimetype, uploader_id from attachments where attachment_id = $1 for update
     returning sha256`,
    [attachmentId, documentId],
  );
  return rows[0]?.sha256;
}
