import type { EventOf } from '@atrium/proto-events/event';
import type { attachmentSettled } from '@atrium/proto-events/events/documents';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

type Settled = EventOf<typeof attachmentSettled>['data'];

export type SaveOutcomes = {
  /** Call it before publishing the save. Undefined after the timeout. */
  expect(documentId: string, ms: number): Promise<Settled | undefined>;
  settle(outcome: Settled): void;
};

export function createSaveOutcomes(): SaveOutcomes {
  const waiting = new Map<string, (outcome: Settled) => void>();
  return {
    async expect(documentId, ms) {
      const { promise, resolve } = Promise.withResolvers<Settled | undefined>();
      waiting.set(documentId, resolve);
      const timer = setTimeout(() => resolve(undefined), ms).unref();
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(documentId);
      });
    },
    settle: (outcome) => waiting.get(outcome.documentId)?.(outcome),
  };
}

/** By then, the documents service has copied the file, unless it was unavailable for days. */
export const SAVED_ATTACHMENT_RETENTION: RetentionRule = ['saved_attachments', "saved_at < now() - interval '7 days'"];

/** Returns its SHA-256; undefined if a concurrent deletion of the message, which this waits for, removed it. */
export async function referenceObject(
  tx: Queryable,
  attachmentId: string,
  documentId: string,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ sha256: string }>(
    `insert into saved_attachments (document_id, object_key, sha256, size, mimetype, uploader_id)
     select $2, object_key, sha256, size, mimetype, uploader_id from attachments where attachment_id = $1 for update
     returning sha256`,
    [attachmentId, documentId],
  );
  return rows[0]?.sha256;
}
