import { enforceWorkspaceQuota } from '@atrium/object-store/objects/quota';
import { recordWithinQuota } from '@atrium/object-store/uploads/receive-form-files';
import { attachmentSaved } from '@atrium/proto-events/events/chat';
import { documentUploaded } from '@atrium/proto-events/events/documents';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { keyForRequest, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { documentFacts, findAudience } from '../documents/audience.ts';
import { insertDocument } from '../documents/document-repository.ts';
import { failSave, releaseQuota, reserveQuota, type Saved } from './attachment-saves.ts';
import { KEY_PREFIX } from './receive-upload.ts';

const FILE_LOST = 'The file is no longer in storage.';

/**
 * Turns an attachment into a private document with its own object: reserves quota, copies the bytes within the store, and records the
 * document. Retried while the store is unavailable; if the quota is exhausted or the file is lost, the user is notified.
 */
export const importAttachment = (deps: Deps) =>
  on(attachmentSaved, async (event) => {
    const { data } = event;
    const { db, store, remover, quotas } = deps;
    if (await isImported(db, data)) return;
    if (!(await reserveQuota(db, quotas, event))) return;
    // A new key for each attempt: the object of a failed one may be removed at any time.
    const target = `${KEY_PREFIX}${data.documentId}/${newId()}`;
    try {
      if (!(await store.copy({ key: data.objectKey, bytes: data.size }, target)))
        return await failSave(db, data, FILE_LOST);
      const recordedKey = await record(deps, data, target);
      if (recordedKey !== target) await remover.queueRemoval(target);
    } catch (error) {
      await remover.queueRemoval(target);
      if (!(error instanceof AppError && error.code === 'too_large')) throw error;
      await failSave(db, data, error.message);
    }
  });

const keyOf = ({ documentId }: Saved) => `attachment ${documentId}`;

/** Whether it became a document, which may have been deleted since. */
async function isImported(db: Queryable, data: Saved): Promise<boolean> {
  const { rows } = await db.query('select from idempotency_keys where user_id = $1 and key = $2', [
    data.savedBy,
    keyOf(data),
  ]);
  return rows.length > 0;
}

/** Idempotent. Returns the object key of the document. */
function record({ db, quotas }: Deps, data: Saved, target: string): Promise<string> {
  const { documentId, savedBy, name, extension, mimetype, size, sha256 } = data;
  const file = { objectKey: target, size, sha256, mimetype };
  return withIdempotencyKey(db, { caller: { userId: savedBy }, key: keyForRequest(keyOf(data), data) }, async (tx) => {
    await releaseQuota(tx, documentId);
    const objectKey = await recordWithinQuota(tx, { quotas, userId: savedBy, file });
    const row = await insertDocument(tx, {
      id: documentId,
      name,
      description: '',
      visibility: 'private',
      tags: [],
      uploaded_by: savedBy,
      project_id: null,
      object_key: objectKey,
      extension,
      mimetype,
      size,
      sha256,
    });
    await appendEvent(tx, {
      event: documentUploaded,
      data: documentFacts(row, await findAudience(tx, row)),
      aggregate: row.id,
      actorId: savedBy,
    });
    await enforceWorkspaceQuota(tx, quotas, size);
    return objectKey;
  });
}
