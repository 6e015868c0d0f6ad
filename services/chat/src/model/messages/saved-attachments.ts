import type { EventOf } from '@atrium/proto-events/event';
import type { attachmentSettled } from '@atrium/proto-events/events/documents';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

type SaveOutcome = EventOf<typeof attachmentSettled>['data'];

export type SaveOutcomes = {
  /** Call it before publishing the save. Resolves to undefined after the timeout. */
  expect(documentId: string, ms: number): Promise<SaveOutcome | undefined>;
  settle(outcome: SaveOutcome): void;
};

export function createSaveOutcomes(): SaveOutcomes {
  const resolvers = new Map<string, (outcome: SaveOutcome) => void>();
  return {
    async expect(documentId, ms) {
      const { promise, resolve } = Promise.withResolvers<SaveOutcome | undefined>();
      resolvers.set(documentId, resolve);
      const timer = setTimeout(() => resolve(undefined), ms).unref();
      return promise.finally(() => {
        clearTimeout(timer);
        resolvers.delete(documentId);
      });
    },
    settle: (outcome) => resolvers.get(outcome.documentId)?.(outcome),
  };
}

/** The documents service copies the file within this time, unless it is unavailable for days. */
export const SAVED_ATTACHMENT_RETENTION: RetentionRule = ['saved_attachments', "saved_at < now() - interval '7 days'"];

/** Waits for a concurrent deletion of the message. Returns the SHA-256, or undefined if the file was removed. */
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
