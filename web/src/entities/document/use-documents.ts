import type {
  explainDocumentAccess,
  listDocumentDownloads,
  listDocumentShares,
} from '@atrium/proto-events/http/document-access';
import type { getDocumentPreview } from '@atrium/proto-events/http/document-previews';
import type { listDocumentUploads, UnfinishedUpload } from '@atrium/proto-events/http/document-uploads';
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
import type { Preview } from '@atrium/proto-events/preview';
import { call } from '../../lib/api/api.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { useRead } from '../../lib/query/use-read.ts';
import { type HubFilterState, hubQuery, isNarrowed, WHOLE_HUB } from './document-filters.ts';

const HUNDRED = 100;

/** What is only looked at: a link is asked for where somebody downloads, and that is written down. */
const NO_LINKS = { link: 'false' } as const;

/** A page of cards: of 100 with what was found in them nobody looks through all. */
const CARDS = 48;

/** A page of what this person may read, by what stands in the address; while texts are being read, it is asked for again soon. */
export function useDocumentHub(place: HubFilterState) {
  const { project, ...filter } = hubQuery(place);
  const paging = { page: Number(place.page) || 1, limit: CARDS, ...NO_LINKS };
  // Of a project alone, also a server of the release before knows the documents.
  const isProjectAlone = project !== undefined && !isNarrowed(place) && place.sort === WHOLE_HUB.sort;
  const query = { ...filter, ...paging, search: place.search, ...(project !== undefined && { project }) };
  const all = useRead<typeof listDocuments>('GET /documents', isProjectAlone ? null : { query }, soonReady());
  const ofProject = useRead<typeof listProjectDocuments>(
    'GET /documents/project/:id',
    isProjectAlone ? { params: { id: project }, query: paging } : null,
    soonReady(),
  );
  return isProjectAlone ? ofProject : all;
}

/** What was uploaded a moment ago is read and drawn in a moment; what waits for longer is in a long line, and seen with the next look at the list. */
const READY_WITHIN_MS = 2 * 60_000;
const LOOK_AGAIN_MS = 2_000;
const isBeingMade = ({ text, thumbnail, updatedAt }: Document) =>
  (text === 'pending' || thumbnail === null) && Date.now() - Date.parse(updatedAt) < READY_WITHIN_MS;
/** Another function with each answer: SWR never asks one again that has once said 0. */
const soonReady = () => ({
  refreshInterval: (latest: { data: readonly Document[] } | undefined) =>
    latest?.data.some(isBeingMade) ? LOOK_AGAIN_MS : 0,
});

/** A project's documents, newest first. */
export function useProjectDocuments(project: string, limit: number) {
  const input = { params: { id: project }, query: { page: 1, limit, ...NO_LINKS } };
  return useRead<typeof listProjectDocuments>('GET /documents/project/:id', input);
}

export function useDocumentStats() {
  return useRead<typeof getDocumentStats>('GET /documents/stats', {});
}

/** How large a file may be, and how much room there is. */
export function useDocumentLimits() {
  return useRead<typeof getDocumentLimits>('GET /documents/limits', {});
}

/** A part takes less on all but the slowest lines. */
const TOUCHED_WITHIN_MS = 2 * 60_000;

/** Whether something of it came so lately that it may be on its way. */
export const isTouched = ({ touchedAt }: UnfinishedUpload): boolean =>
  Date.now() - Date.parse(touchedAt) < TOUCHED_WITHIN_MS;

/** What this person began to upload in parts and has not finished, in any browser. No event tells of parts: while some come, it is asked for again. */
export function useUnfinishedUploads() {
  const all = useRead<typeof listDocumentUploads>('GET /documents/uploads', {});
  const isUnderWay = all.data?.data.some(isTouched) ?? false;
  useRead<typeof listDocumentUploads>('GET /documents/uploads', isUnderWay ? {} : null, PARTS_AGAIN);
  return all;
}

const PARTS_AGAIN = { refreshInterval: 20_000 };

/** The document as it is now, to be looked at: without a link, for that would count as a download. */
export function useDocument(id: string) {
  const input = { params: { id }, query: NO_LINKS };
  return useRead<typeof getDocument>('GET /documents/:id', input, { keepPreviousData: false });
}

/** Whether a document is there, and this person's to read. */
export async function isThere(id: string): Promise<boolean> {
  try {
    await call<typeof getDocument>('GET /documents/:id', { params: { id }, query: NO_LINKS });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
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
  const input = { params: { id }, query: { page, limit: HUNDRED, ...NO_LINKS } };
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

/** A download changes nothing that is told of: its log is asked for so often while somebody reads it. */
const LOG_AGAIN = { refreshInterval: 2_000 };

/** Who was given a link to its file, latest first. */
export function useDocumentDownloads(id: string, page: number) {
  const input = { params: { id }, query: { page, limit: HUNDRED } };
  return useRead<typeof listDocumentDownloads>('GET /documents/:id/downloads', input, LOG_AGAIN);
}
