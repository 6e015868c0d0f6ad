import { assertQuota, enforceWorkspaceQuota, lockQuota, type Quotas } from '@atrium/object-store/objects/quota';
import type { EventOf } from '@atrium/proto-events/event';
import type { attachmentSaved } from '@atrium/proto-events/events/chat';
import { attachmentSettled, SAVE_OUTCOME_MS } from '@atrium/proto-events/events/documents';
import { truncate } from '@atrium/proto-events/text/truncate';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';

export type Saved = EventOf<typeof attachmentSaved>['data'];

export const EXPIRED_FAILURES: RetentionRule = [
  'attachment_saves',
  "failure is not null and created_at < now() - interval '30 days'",
];

/** Reserves quota for an attachment and publishes the result, once per document even if redelivered. Returns whether to copy the file. */
export async function reserveQuota(db: Db, quotas: Quotas, event: EventOf<typeof attachmentSaved>): Promise<boolean> {
  const { data: saved } = event;
  const [known] = await findSave(db, saved.documentId);
  if (known) return known.failure === null;
  try {
    await db.transaction(async (tx) => {
      assertQuota(await lockQuota(tx, { quotas, userId: saved.savedBy }), saved.size, quotas);
      await insertSave(tx, saved, null);
      await publish(tx, saved, { failure: null, isLate: isLate(event) });
      await enforceWorkspaceQuota(tx, quotas, saved.size);
    });
    return true;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'too_large')) throw error;
    await db.transaction(async (tx) => {
      await insertSave(tx, saved, error.message);
      await publish(tx, saved, { failure: error.message, isLate: isLate(event) });
    });
    return false;
  }
}

/** Releases the quota of a failed save and publishes the reason. */
export function failSave(db: Db, saved: Saved, failure: string): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query('update attachment_saves set failure = $2 where document_id = $1', [saved.documentId, failure]);
    await publish(tx, saved, { failure, isLate: true });
  });
}

/** Ends a reservation, in the transaction that records the document. */
export async function releaseQuota(tx: Queryable, documentId: string): Promise<void> {
  await tx.query('delete from attachment_saves where document_id = $1', [documentId]);
}

/** Why an attachment saved by this user did not become a document. */
export async function findFailure(db: Queryable, userId: string, documentId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ failure: string }>(
    'select failure from attachment_saves where document_id = $1 and owner_id = $2 and failure is not null',
    [documentId, userId],
  );
  return rows[0]?.failure;
}

async function findSave(db: Queryable, documentId: string) {
  const { rows } = await db.query<{ failure: string | null }>(
    'select failure from attachment_saves where document_id = $1',
    [documentId],
  );
  return rows;
}

async function insertSave(tx: Queryable, saved: Saved, failure: string | null): Promise<void> {
  await tx.query(
    'insert into attachment_saves (document_id, owner_id, object_key, size, failure) values ($1, $2, $3, $4, $5)',
    [saved.documentId, saved.savedBy, saved.objectKey, saved.size, failure],
  );
}

/** Half the timeout of the request, because outcomes take time to arrive and clocks differ: an extra notification is better than none. */
const isLate = ({ occurredAt }: { occurredAt: string }) => Date.now() - Date.parse(occurredAt) > SAVE_OUTCOME_MS / 2;

type Outcome = Pick<EventOf<typeof attachmentSettled>['data'], 'failure' | 'isLate'>;

const publish = (tx: Queryable, { documentId, savedBy, name }: Saved, outcome: Outcome) =>
  appendEvent(tx, {
    event: attachmentSettled,
    data: { documentId, savedBy, name: truncate(name, 200), ...outcome },
    aggregate: documentId,
    actorId: savedBy,
  });
