import type { CallOf } from '@atrium/proto-events/endpoint';
import type { cancelDocumentUpload } from '@atrium/proto-events/http/document-uploads';
import type {
  purgeDocument,
  restoreDocument,
  restoreDocumentVersion,
} from '@atrium/proto-events/http/document-versions';
import type { Document, deleteDocument, unshareDocument, updateDocument } from '@atrium/proto-events/http/documents';
import { type Grantees, useShareDocument } from '#entities/document/use-share-document.ts';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions, useIdempotencyKeyByName } from '#lib/hooks/use-idempotency-key.ts';
import type { SendOptions } from '#lib/uploads/upload-queue.ts';
import { useCacheUpdate } from '#realtime/use-cache-update.ts';
import { useInvalidate } from '#realtime/use-invalidate.ts';
import { sendDocument, sendVersion } from './uploads/send-document.ts';
import type { UploadDetails } from './uploads/upload-details.tsx';

/** Mutations of documents; each updates the cache and refetches document lists. */
export function useDocumentActions() {
  const refresh = useInvalidate();
  const show = useCacheUpdate<Document>('document');
  const share = useShareDocument();
  const repeatable = useIdempotencyKeyByName();
  return {
    upload: async (file: File, options: SendOptions & { details: UploadDetails }) => {
      await sendDocument(file, options);
      refresh('/documents');
    },
    /** Deletes the uploaded parts of an unfinished upload. */
    discard: async (uploadId: string) => {
      await call<typeof cancelDocumentUpload>('DELETE /documents/uploads/:id', { params: { id: uploadId } });
      refresh('/documents');
    },
    update: async (id: string, body: CallOf<typeof updateDocument>['body']) => {
      show.saved(await call<typeof updateDocument>('PATCH /documents/:id', { params: { id }, body }));
      refresh('/documents');
    },
    remove: async (id: string) => {
      await call<typeof deleteDocument>('DELETE /documents/:id', { params: { id } });
      show.gone(({ _id }) => _id === id);
      refresh('/documents');
    },
    restore: async (id: string) => {
      await call<typeof restoreDocument>('POST /documents/trash/:id/restore', { params: { id } });
      refresh('/documents');
    },
    purge: async (id: string) => {
      await call<typeof purgeDocument>('DELETE /documents/trash/:id', { params: { id } });
      refresh('/documents');
    },
    addVersion: async (id: string, file: File, options: SendOptions) => {
      show.saved(await sendVersion(file, id, options));
      refresh('/documents');
    },
    restoreVersion: async (id: string, number: number) => {
      const params = { id, number };
      const restored = await repeatable(`${id}/${number}`, (key) =>
        call<typeof restoreDocumentVersion>(
          'POST /documents/:id/versions/:number/restore',
          { params },
          idempotencyOptions(key),
        ),
      );
      show.saved(restored);
      refresh('/documents');
    },
    share,
    unshare: async (id: string, body: Grantees) => {
      await call<typeof unshareDocument>('DELETE /documents/:id/share', { params: { id }, body });
      show.changed(id, (document) => withoutReaders(document, body));
      refresh('/documents');
    },
  };
}

/** The server increments the version, so the cached copy must not be edited on the old one. */
function withoutReaders(document: Document, { userIds = [], departmentIds = [], projectIds = [] }: Grantees): Document {
  const { sharedWith, sharedWithDepartments: departments = [], sharedWithProjects: projects = [] } = document;
  const left = {
    sharedWith: sharedWith.filter(({ _id }) => !userIds.includes(_id)),
    sharedWithDepartments: departments.filter(({ _id }) => !departmentIds.includes(_id)),
    sharedWithProjects: projects.filter((id) => !projectIds.includes(id)),
  };
  const count = (of: typeof left) =>
    of.sharedWith.length + of.sharedWithDepartments.length + of.sharedWithProjects.length;
  const before = { sharedWith, sharedWithDepartments: departments, sharedWithProjects: projects };
  if (count(left) === count(before)) return document;
  const sharedWithCount = document.sharedWithCount - (sharedWith.length - left.sharedWith.length);
  return { ...document, ...left, sharedWithCount, version: document.version + 1 };
}
