import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  purgeDocument,
  restoreDocument,
  restoreDocumentVersion,
} from '@atrium/proto-events/http/document-versions';
import type { Document, deleteDocument, updateDocument } from '@atrium/proto-events/http/documents';
import { downloadFile } from '#entities/document/download-file.ts';
import { fetchDocument } from '#entities/document/use-documents.ts';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions, useIdempotencyKeyByName } from '#lib/hooks/use-idempotency-key.ts';
import { useCacheUpdate } from '#realtime/use-cache-update.ts';
import { useRefetchPaths } from '#realtime/use-refetch.ts';
import { useAction } from '#ui/overlays/use-action.ts';

export function useDocumentActions() {
  const refetchPaths = useRefetchPaths();
  const cacheUpdate = useCacheUpdate<Document>('document');
  const withKey = useIdempotencyKeyByName();
  return {
    update: async (id: string, body: CallOf<typeof updateDocument>['body']) => {
      cacheUpdate.applySaved(await call<typeof updateDocument>('PATCH /documents/:id', { params: { id }, body }));
      refetchPaths('/documents');
    },
    remove: async (id: string) => {
      await call<typeof deleteDocument>('DELETE /documents/:id', { params: { id } });
      cacheUpdate.applyDeletion(({ _id }) => _id === id);
      refetchPaths('/documents');
    },
    restore: async (id: string) => {
      await call<typeof restoreDocument>('POST /documents/trash/:id/restore', { params: { id } });
      refetchPaths('/documents');
    },
    purge: async (id: string) => {
      await call<typeof purgeDocument>('DELETE /documents/trash/:id', { params: { id } });
      refetchPaths('/documents');
    },
    restoreVersion: async (id: string, number: number) => {
      const params = { id, number };
      const restored = await withKey(`${id}/${number}`, (key) =>
        call<typeof restoreDocumentVersion>(
          'POST /documents/:id/versions/:number/restore',
          { params },
          idempotencyOptions(key),
        ),
      );
      cacheUpdate.applySaved(restored);
      refetchPaths('/documents');
    },
  };
}

export function useDownload() {
  return useAction(
    async (id: string) => downloadFile((await fetchDocument(id)).downloadUrl),
    'Failed to download document',
    'Download failed',
  );
}
