import { assertQuota, enforceWorkspaceQuota, lockQuota, type Quotas } from '@atrium/object-store/objects/quota';
import { recordObjectWithinQuota } from '@atrium/object-store/uploads/receive-form-files';
import type { EventOf } from '@atrium/proto-events/event';
import type { attachmentSaved } from '@atrium/proto-events/events/chat';
import { attachmentSettled, documentUploaded, SAVE_OUTCOME_MS } from '@atrium/proto-events/events/documents';
import { truncate } from '@atrium/proto-events/text-length';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { keyForRequest, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { appendDocumentEvent } from '../documents/append-document-events.ts';
import { insertDocument } from '../documents/document-repository.ts';
import { newObjectKey } from './upload-repository.ts';

type Attachment = EventOf<typeof attachmentSaved>['data'];

export const EXPIRED_FAILURES: RetentionRule = [
  'attachment_saves',
  "failure is not null and created_at < now() - interval '30 days'",
];

const FILE_LOST = 'The file is no longer in storage.';

/**
 * Handles the request to save an attachment: reserves quota, copies the object, and creates the document. Retries while
 * the store is unavailable, and reports a failure if the quota is exhausted or the file is lost.
 */
export const importAttachment =
  (deps: Deps) =>
  async (event: EventOf<typeof attachmentSaved>): Promise<void> => {
    const { data: attachment } = event;
    const { db, store, remover, quotas } = deps;
    if (await isImported(db, attachment)) return;
    if (!(await reserveQuota(db, quotas, event))) return;
    // Each attempt uses a new key, because the object of a failed one may be removed at any time.
    const objectKey = newObjectKey(attachment.documentId);
    try {
      if (!(await store.copy({ key: attachment.objectKey, bytes: attachment.size }, objectKey)))
        return await recordFailure(db, attachment, FILE_LOST);
      const recordedKey = await saveAttachmentAsDocument(deps, attachment, objectKey);
      if (recordedKey !== objectKey) await remover.queueRemoval(objectKey);
    } catch (error) {
      await remover.queueRemoval(objectKey);
      if (!(error instanceof AppError && error.code === 'too_large')) throw error;
      await recordFailure(db, attachment, error.message);
    }
  };

const toIdempotencyKey = ({ documentId }: Attachment) => `attachment ${documentId}`;

async function isImported(db: Queryable, attachment: Attachment): Promise<boolean> {
  const { rows } = await db.query('select from idempotency_keys where user_id = $1 and key = $2', [
    attachment.savedBy,
    toIdempotencyKey(attachment),
  ]);
  return rows.length > 0;
}

/**
 * Idempotent. Returns the object key of the document, which is an earlier one if the user has the same content already.
 */
function saveAttachmentAsDocument({ db, quotas }: Deps, attachment: Attachment, copyKey: string): Promise<string> {
  const { documentId, savedBy, name, extension, mimetype, size, sha256 } = attachment;
  const key = keyForRequest(toIdempotencyKey(attachment), attachment);
  return withIdempotencyKey(db, { caller: { userId: savedBy }, key }, async (tx) => {
    // Ends the reservation, because the object counts from here on.
    await tx.query('delete from attachment_saves where document_id = $1', [documentId]);
    const file = { objectKey: copyKey, size, sha256, mimetype };
    const objectKey = await recordObjectWithinQuota(tx, { quotas, userId: savedBy, file });
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
    await appendDocumentEvent(tx, { event: documentUploaded, row, actorId: savedBy });
    await enforceWorkspaceQuota(tx, quotas, size);
    return objectKey;
  });
}

/** Reserves once per document, even if the event is redelivered. Returns whether to copy the file. */
async function reserveQuota(db: Db, quotas: Quotas, event: EventOf<typeof attachmentSaved>): Promise<boolean> {
  const { data: attachment } = event;
  const { rows } = await db.query<{ failure: string | null }>(
    'select failure from attachment_saves where document_id = $1',
    [attachment.documentId],
  );
  if (rows[0]) return rows[0].failure === null;
  try {
    await db.transaction(async (tx) => {
      assertQuota(await lockQuota(tx, { quotas, userId: attachment.savedBy }), attachment.size, quotas);
      await recordOutcome(tx, attachment, { failure: null, isLate: isLate(event) });
      await enforceWorkspaceQuota(tx, quotas, attachment.size);
    });
    return true;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'too_large')) throw error;
    const outcome = { failure: error.message, isLate: isLate(event) };
    await db.transaction((tx) => recordOutcome(tx, attachment, outcome));
    return false;
  }
}

function recordFailure(db: Db, attachment: Attachment, failure: string): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query('update attachment_saves set failure = $2 where document_id = $1', [attachment.documentId, failure]);
    await appendOutcome(tx, attachment, { failure, isLate: true });
  });
}

type Outcome = Pick<EventOf<typeof attachmentSettled>['data'], 'failure' | 'isLate'>;

async function recordOutcome(tx: Queryable, attachment: Attachment, outcome: Outcome): Promise<void> {
  await tx.query(
    'insert into attachment_saves (document_id, owner_id, object_key, size, failure) values ($1, $2, $3, $4, $5)',
    [attachment.documentId, attachment.savedBy, attachment.objectKey, attachment.size, outcome.failure],
  );
  await appendOutcome(tx, attachment, outcome);
}

const appendOutcome = (tx: Queryable, { documentId, savedBy, name }: Attachment, outcome: Outcome) =>
  appendEvent(tx, {
    event: attachmentSettled,
    data: { documentId, savedBy, name: truncate(name, 200), ...outcome },
    aggregate: documentId,
    actorId: savedBy,
  });

/** Compares with half the timeout of the request, because outcomes take time to arrive and clocks differ. */
const isLate = ({ occurredAt }: { occurredAt: string }) => Date.now() - Date.parse(occurredAt) > SAVE_OUTCOME_MS / 2;
