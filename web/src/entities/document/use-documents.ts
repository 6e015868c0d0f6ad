import type {
  explainDocumentAccess,
  listDocumentDownloads,
  listDocumentShares,
} from '@atrium/proto-events/http/document-access';
import type { getDocumentPreview, Preview } from '@atrium/proto-events/http/document-previews';
import type {
  DocumentVersion,
  getDocumentVersion,
  listDeletedDocuments,
  listDocumentVersions,
} from '@atrium/proto-events/http/document-versions';
import type {
  Document,
  getDocument,
  getDocumentLimits,
  getDocumentStats,
  listDocuments,
  listProjectDocuments,
} from '@atrium/proto-events/http/documents';
import { call } from '../../lib/api/api.ts';
import { useRead } from '../../lib/cache/use-read.ts';

const HUNDRED = 100;

type DocumentPage = {
  search?: string;
  page?: number;
  limit?: number;
  /** An id, or empty for the documents of all. */
  project: string;
};

/** A small picture comes a moment after the upload; one that is long in coming is seen with the next look at the list. */
const PICTURE_EVERY_MS = 2_000;
const PICTURE_PATIENCE_MS = 60_000;

const isBeingDrawn = ({ thumbnail, updatedAt }: Document) =>
  thumbnail === null && Date.now() - Date.parse(updatedAt) < PICTURE_PATIENCE_MS;
const DRAWN_SOON = {
  refreshInterval: (page: { data: Document[] } | undefined) => (page?.data.some(isBeingDrawn) ? PICTURE_EVERY_MS : 0),
};

/** Newest first, of everything or of the project with that id (specification, sections 7 and 9). */
export function useDocumentList({ search, project, page, limit = HUNDRED }: DocumentPage) {
  const paging = { page, limit };
  const query = { search, ...paging, sortBy: 'createdAt', sortOrder: 'desc' } as const;
  const all = useRead<typeof listDocuments>('GET /documents', project ? null : { query }, DRAWN_SOON);
  const ofProject = useRead<typeof listProjectDocuments>(
    'GET /documents/project/:id',
    project ? { params: { id: project }, query: paging } : null,
    DRAWN_SOON,
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

/** What was deleted and can come back, deleted last first. */
export function useDeletedDocuments(page: number) {
  return useRead<typeof listDeletedDocuments>('GET /documents/bin', { query: { page, limit: HUNDRED } });
}

/** The files that a document has and had, newest first. */
export function useDocumentVersions(id: string, page: number) {
  const input = { params: { id }, query: { page, limit: HUNDRED } };
  return useRead<typeof listDocumentVersions>('GET /documents/:id/versions', input);
}

/** One of them, with a link that was made this moment. */
export function fetchVersion(id: string, number: number): Promise<DocumentVersion> {
  return call<typeof getDocumentVersion>('GET /documents/:id/versions/:number', { params: { id, number } });
}

/** A link to look at a document's file, or at an earlier one of it, made this moment; no download. */
export function fetchPreview(id: string, version?: number): Promise<Preview> {
  const query = version === undefined ? {} : { version };
  return call<typeof getDocumentPreview>('GET /documents/:id/preview', { params: { id }, query });
}

/** With whom it is shared, by whom and since when. */
export function useDocumentShares(id: string) {
  return useRead<typeof listDocumentShares>('GET /documents/:id/shares', { params: { id } });
}

/** Why somebody can open it; `null` waits. */
export function useDocumentAccess(id: string, user: string | null) {
  const input = user === null ? null : { params: { id }, query: { user } };
  return useRead<typeof explainDocumentAccess>('GET /documents/:id/access', input, { keepPreviousData: false });
}

/** Who was given a link to its file, latest first. */
export function useDocumentDownloads(id: string, page: number) {
  const input = { params: { id }, query: { page, limit: HUNDRED } };
  return useRead<typeof listDocumentDownloads>('GET /documents/:id/downloads', input);
}
