import type { CallOf } from '@atrium/proto-events/endpoint';
import type { Document, shareDocument } from '@atrium/proto-events/http/documents';
import { call } from '#lib/api/api.ts';
import { useCacheUpdate } from '#realtime/use-cache-update.ts';
import { useInvalidate } from '#realtime/use-invalidate.ts';

export type Grantees = CallOf<typeof shareDocument>['body'];

/** Shares a document, updates the cache, and refetches document lists. */
export function useShareDocument() {
  const refresh = useInvalidate();
  const show = useCacheUpdate<Document>('document');
  return async (id: string, body: Grantees) => {
    show.saved(await call<typeof shareDocument>('POST /documents/:id/share', { params: { id }, body }));
    refresh('/documents');
  };
}
