import type { DocumentAudience } from '../store/records.ts';
import { insertOnce, type Store } from '../store/store.ts';

type Reduction = {
  event: { id: string; occurredAt: string; data: { documentId: string; version: number } };
  /** Absent if the document was deleted. */
  audience?: DocumentAudience;
};

/** Records who can still read a document, for shares of its earlier versions, which may be replayed dead letters. */
export async function recordReducedAudience({ withdrawals }: Store, { event, audience }: Reduction): Promise<void> {
  const { documentId: subjectId, version } = event.data;
  await insertOnce(withdrawals, [
    { _id: event.id, subjectId, version, ...(audience && { audience }), at: new Date(event.occurredAt) },
  ]);
}

type Version = { documentId: string; version: number };

/** Returns the audiences to which a document was reduced after that version; undefined where it was deleted. */
export async function findReducedAudiences(
  { withdrawals }: Store,
  { documentId: subjectId, version }: Version,
): Promise<(DocumentAudience | undefined)[]> {
  const found = await withdrawals.find({ subjectId, version: { $gt: version } }, { audience: 1 }).lean();
  return found.map(({ audience }) => audience);
}
