import { attachmentSaved } from '@atrium/proto-events/events/chat';
import { SAVE_OUTCOME_MS } from '@atrium/proto-events/events/documents';
import { AppError, notFound, unavailable } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { findReadableAttachment } from './attachment-repository.ts';

/** Long after documents has its copy, unless it was away for days. */
export const TAKEN_OVER: RetentionRule = ['saved_attachments', "saved_at < now() - interval '7 days'"];

const DOCUMENTS_UNAVAILABLE =
  'Document Hub is not available right now. The file will be saved there as soon as it is, if there is room.';

type Given = { id: string; key: IdempotencyKey | undefined };

/** Has documents make a private document of a file, and answers once room is reserved for it. Throws `too_large` where there is none. */
export async function saveAttachment(deps: Deps, caller: Caller, given: Given): Promise<{ document: string }> {
  const document = newId();
  const outcome = deps.saves.expect(document, SAVE_OUTCOME_MS);
  const saved = await announceSave(deps, caller, { ...given, document });
  // A repeat: the first call was answered with its outcome.
  if (saved.document !== document) return saved;
  const settled = await outcome;
  if (!settled) throw unavailable(DOCUMENTS_UNAVAILABLE);
  if (settled.failure === null) return saved;
  await forgetSave(deps.db, caller, { ...given, document });
  throw new AppError('too_large', settled.failure);
}

function announceSave({ db }: Deps, caller: Caller, { id, key, document }: Given & { document: string }) {
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    const file = await findReadableAttachment(tx, id, caller.userId);
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

/** So that the same call can succeed once there is room. */
async function forgetSave(db: Db, { userId }: Caller, { key, document }: Given & { document: string }): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('delete from saved_attachments where document_id = $1', [document]);
    if (key !== undefined)
      await tx.query('delete from idempotency_keys where user_id = $1 and key = $2', [userId, key.key]);
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
