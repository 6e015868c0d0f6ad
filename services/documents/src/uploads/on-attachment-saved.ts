import { settleRoom } from '@atrium/object-store/objects/quota';
import { recordWithRoom } from '@atrium/object-store/receiving/take-in-files';
import type { EventOf } from '@atrium/proto-events/event';
import { attachmentSaved } from '@atrium/proto-events/events/chat';
import { documentUploaded } from '@atrium/proto-events/events/documents';
import { AppError } from '@atrium/service-kit/http/app-error';
import { keyOver, once } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { documentFacts, findAudience } from '../documents/audience.ts';
import { insertDocument } from '../documents/document-repository.ts';
import { KEY_PREFIX } from './take-in-file.ts';

type Saved = EventOf<typeof attachmentSaved>['data'];

/**
 * A file of a message becomes a private document, of an object of its own: copied within the store, before the record. Without the store it is tried again later; without room, or where the file is lost, there is no document.
 */
export const takeOverAttachment = (deps: Deps) =>
  on(attachmentSaved, async ({ data }) => {
    if (await findTakenOver(deps.db, data)) return;
    // Another one with each attempt: what a failed one gave up may be removed at any moment.
    const target = `${KEY_PREFIX}${data.documentId}/${newId()}`;
    try {
      if (!(await deps.store.copy({ key: data.objectKey, bytes: data.size }, target)))
        return deps.log.warn({ documentId: data.documentId }, 'a saved attachment is not in the object store any more');
      const named = await record(deps, data, target);
      if (named !== target) await deps.remover.giveUp(target);
    } catch (error) {
      await deps.remover.giveUp(target);
      if (!(error instanceof AppError && error.code === 'too_large')) throw error;
      deps.log.warn({ err: error, documentId: data.documentId }, 'there is no room for a saved attachment');
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
  return once(db, { caller: { userId: savedBy }, key: keyOver(keyOf(data), data) }, async (tx) => {
    const objectKey = await recordWithRoom(tx, { quotas, userId: savedBy, file });
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
