import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  Document,
  deleteDocument,
  getDocument,
  getDocumentLimits,
  getDocumentStats,
  listDocuments,
  listProjectDocuments,
  shareDocument,
  unshareDocument,
  updateDocument,
} from '@atrium/proto-events/http/documents';
import { call } from '../../lib/api/api.ts';
import { upload } from '../../lib/api/upload.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { useRefresh } from '../../realtime/use-refresh.ts';
import { useShow } from '../../realtime/use-show.ts';

const LIMIT = 100;

/** Newest first, of everything or of the project with that id, a hundred at a time (specification, sections 7 and 9). */
export function useDocumentList({ search, page, project }: { search: string; page: string; project: string }) {
  const paging = { page: Number(page) || 1, limit: LIMIT };
  const query = { search, ...paging, sortBy: 'createdAt', sortOrder: 'desc' } as const;
  const all = useRead<typeof listDocuments>('GET /documents', project ? null : { query });
  const ofProject = useRead<typeof listProjectDocuments>(
    'GET /documents/project/:id',
    project ? { params: { id: project }, query: paging } : null,
  );
  return project ? ofProject : all;
}

export function useDocumentStats() {
  return useRead<typeof getDocumentStats>('GET /documents/stats', {});
}

/** How large a file may be, and how much room there is. */
export function useDocumentLimits() {
  return useRead<typeof getDocumentLimits>('GET /documents/limits', {});
}

/** The document as it is now, to be looked at: without a link, for that would count as a download. */
export function useDocument(id: string) {
  const input = { params: { id }, query: { link: 'false' } } as const;
  return useRead<typeof getDocument>('GET /documents/:id', input, { keepPreviousData: false });
}

/** The document as it is now, with a link that was made this moment. */
export function fetchDocument(id: string): Promise<Document> {
  return call<typeof getDocument>('GET /documents/:id', { params: { id } });
}

export type SendOptions = { onProgress: (fraction: number) => void; signal: AbortSignal; idempotencyKey: string };

/** The writes; each shows what it has saved, and makes every list of documents ask again. */
export function useDocumentActions() {
  const refresh = useRefresh();
  const show = useShow<Document>('document');
  return {
    upload: async (file: File, { onProgress, signal, idempotencyKey, project }: SendOptions & { project: string }) => {
      const form = new FormData();
      // Fields before the file, so that a refusal of theirs comes before its bytes are stored.
      form.set('name', file.name);
      form.set('description', '');
      form.set('visibility', 'private');
      form.set('project', project);
      form.set('file', file);
      const headers = { 'idempotency-key': idempotencyKey };
      await upload<Document>('/documents/upload', form, { onProgress, signal, headers });
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
    share: async (id: string, userIds: string[]) => {
      show.saved(await call<typeof shareDocument>('POST /documents/:id/share', { params: { id }, body: { userIds } }));
      refresh('/documents');
    },
    unshare: async (id: string, userIds: string[]) => {
      await call<typeof unshareDocument>('DELETE /documents/:id/share', { params: { id }, body: { userIds } });
      show.changed(id, (document) => withoutReaders(document, userIds));
      refresh('/documents');
    },
  };
}

/** The server counts the version up: who edits it next has changed what is there now. */
function withoutReaders(document: Document, userIds: readonly string[]): Document {
  const sharedWith = document.sharedWith.filter(({ _id }) => !userIds.includes(_id));
  if (sharedWith.length === document.sharedWith.length) return document;
  return { ...document, sharedWith, version: document.version + 1 };
}
