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
import { useWrite } from '#realtime/use-write.ts';
import { useAction } from '#ui/overlays/use-action.ts';

export function useDocumentActions() {
  const write = useWrite<Document>('document');
  const withKey = useIdempotencyKeyByName();
  return {
    update: async (id: string, body: CallOf<typeof updateDocument>['body']) => {
      write.saved(await call<typeof updateDocument>('PATCH /documents/:id', { params: { id }, body }));
      write.refetch('/documents');
    },
    remove: async (id: string) => {
      await call<typeof deleteDocument>('DELETE /documents/:id', { params: { id } });
      write.deleted(({ _id }) => _id === id);
      write.refetch('/documents');
    },
    restore: async (id: string) => {
      await call<typeof restoreDocument>('POST /documents/trash/:id/restore', { params: { id } });
      write.refetch('/documents');
    },
    purge: async (id: string) => {
      await call<typeof purgeDocument>('DELETE /documents/trash/:id', { params: { id } });
      write.refetch('/documents');
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
      write.saved(restored);
      write.refetch('/documents');
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
