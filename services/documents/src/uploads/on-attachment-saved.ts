import { settleRoom } from '@atrium/object-store/objects/quota';
import { recordWithinQuota } from '@atrium/object-store/uploads/receive-form-files';
import { attachmentSaved } from '@atrium/proto-events/events/chat';
import { documentUploaded } from '@atrium/proto-events/events/documents';
import { AppError } from '@atrium/service-kit/http/app-error';
import { keyOver, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { documentFacts, findAudience } from '../documents/audience.ts';
import { insertDocument } from '../documents/document-repository.ts';
import { failSave, releaseRoom, reserveRoom, type Saved } from './attachment-saves.ts';
import { KEY_PREFIX } from './receive-upload.ts';

const LOST = 'The file is no longer in storage.';

/**
 * A file of a message becomes a private document, of an object of its own: room is reserved, the bytes are copied within the store, and the
 * document is recorded. Without the store it is tried again later; where there is no room or the file is lost, its user learns why.
 */
export const importAttachment = (deps: Deps) =>
  on(attachmentSaved, async (event) => {
    const { data } = event;
    const { db, store, remover, quotas } = deps;
    if (await findTakenOver(db, data)) return;
    if (!(await reserveRoom(db, quotas, event))) return;
    // Another one with each attempt: what a failed one gave up may be removed at any moment.
    const target = `${KEY_PREFIX}${data.documentId}/${newId()}`;
    try {
      if (!(await store.copy({ key: data.objectKey, bytes: data.size }, target))) return await failSave(db, data, LOST);
      const named = await record(deps, data, target);
      if (named !== target) await remover.giveUp(target);
    } catch (error) {
      await remover.giveUp(target);
      if (!(error instanceof AppError && error.code === 'too_large')) throw error;
      await failSave(db, data, error.message);
    }
  });

const keyOf = ({ documentId }: Saved) => `attachment ${documentId}`;

/** Whether it has become a document, which may be gone again by now. */
async function findTakenOver(db: Queryable, data: Saved): Promise<boolean> {
  const { rows } = await db.query('select from idempotency_keys where user_id = $1 and key = $2', [
    data.savedBy,
    keyOf(data),
  ]);
  return rows.length > 0;
}

/** Once, however often it is delivered. Answers the key that the document names. */
function record({ db, quotas }: Deps, data: Saved, target: string): Promise<string> {
  const { documentId, savedBy, name, extension, mimetype, size, sha256 } = data;
  const file = { objectKey: target, size, sha256, mimetype };
  return withIdempotencyKey(db, { caller: { userId: savedBy }, key: keyOver(keyOf(data), data) }, async (tx) => {
    await releaseRoom(tx, documentId);
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
    await settleRoom(tx, quotas, size);
    return objectKey;
  });
}
