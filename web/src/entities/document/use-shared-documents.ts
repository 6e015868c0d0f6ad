import type { listSharedDocuments } from '@atrium/proto-events/http/document-access';
import { useRead } from '#lib/query/use-read.ts';

const LATEST = { limit: 5, people: 1 };

/** The documents that were shared with the user last. */
export function useSharedDocuments() {
  return useRead<typeof listSharedDocuments>('GET /documents/shared', { query: LATEST });
}
