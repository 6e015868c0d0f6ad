import { attachmentSaved } from '@atrium/proto-events/events/chat';
import { SAVE_OUTCOME_MS } from '@atrium/proto-events/events/documents';
import { AppError, notFound, unavailable } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { findReadableAttachment } from '../model/messages/attachment-repository.ts';
import { referenceObject } from '../model/messages/saved-attachments.ts';

const DOCUMENTS_UNAVAILABLE =
  'Document Hub is not available right now. The file will be saved there as soon as it is, if there is room.';

type SaveAttachmentParams = { id: string; key: IdempotencyKey | undefined };

/** Throws `too_large` if the documents service has no room for the file. */
export async function saveAttachment(
  deps: Deps,
  caller: Caller,
  params: SaveAttachmentParams,
): Promise<{ document: string }> {
  const document = newId();
  const outcomePromise = deps.saveOutcomes.expect(document, SAVE_OUTCOME_MS);
  const requestedSave = await requestSave(deps, caller, { ...params, document });
  // This is a retry, and the first request has waited for the outcome.
  if (requestedSave.document !== document) return requestedSave;
  const outcome = await outcomePromise;
  if (!outcome) throw unavailable(DOCUMENTS_UNAVAILABLE);
  if (outcome.failure === null) return requestedSave;
  await cancelSave(deps.db, caller, { ...params, document });
  throw new AppError('too_large', outcome.failure);
}

function requestSave({ db }: Deps, caller: Caller, { id, key, document }: SaveAttachmentParams & { document: string }) {
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    const file = await findReadableAttachment(tx, id, caller.userId);
    const sha256 = file && !file.file_lost && (await referenceObject(tx, id, document));
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

/** Allows a retry with the same idempotency key to succeed once there is enough storage. */
async function cancelSave(
  db: Db,
  { userId }: Caller,
  { key, document }: SaveAttachmentParams & { document: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('delete from saved_attachments where document_id = $1', [document]);
    if (key !== undefined)
      await tx.query('delete from idempotency_keys where user_id = $1 and key = $2', [userId, key.key]);
  });
}
