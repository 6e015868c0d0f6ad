import type { listDocumentDownloads } from '@atrium/proto-events/http/document-access';
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
import type { getDocumentPreview, Preview } from '@atrium/proto-events/http/previews';
import { call } from '#lib/api/api.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { REFETCH_ONLINE } from '#lib/query/swr-config.ts';
import { useRead } from '#lib/query/use-read.ts';
import { DEFAULT_HUB_FILTERS, type HubFilterState, hubQuery, isNarrowed } from './document-filters.ts';

/** Previews need no download link; fetching one is recorded as a download. */
const NO_LINKS = { link: 'false' } as const;

const CARDS_PER_PAGE = 48;

const ROWS_PER_PAGE = 100;

export function useDocumentHub(filters: HubFilterState) {
  const { project, ...hubFilters } = hubQuery(filters);
  const paging = { page: Number(filters.page) || 1, limit: CARDS_PER_PAGE, ...NO_LINKS };
  const isProjectList = project !== undefined && !isNarrowed(filters) && filters.sort === DEFAULT_HUB_FILTERS.sort;
  const query = { ...hubFilters, ...paging, search: filters.search, ...(project !== undefined && { project }) };
  const allDocuments = useRead<typeof listDocuments>(
    'GET /documents',
    isProjectList ? null : { query },
    pollWhileProcessing(),
  );
  const projectDocuments = useRead<typeof listProjectDocuments>(
    'GET /documents/project/:id',
    isProjectList ? { params: { id: project }, query: paging } : null,
    pollWhileProcessing(),
  );
  return isProjectList ? projectDocuments : allDocuments;
}

/** Uploads are processed within seconds; documents that wait longer are in a long queue and are not polled for. */
const PROCESSING_TIMEOUT_MS = 2 * 60_000;
const POLL_INTERVAL_MS = 2_000;
const isProcessing = ({ text, thumbnail, updatedAt }: Document) =>
  (text === 'pending' || thumbnail === null) && Date.now() - Date.parse(updatedAt) < PROCESSING_TIMEOUT_MS;
/** A new function for each response: SWR stops polling permanently once a function has returned 0. */
const pollWhileProcessing = () => ({
  refreshInterval: (latest: { data: readonly Document[] } | undefined) =>
    latest?.data.some(isProcessing) ? POLL_INTERVAL_MS : 0,
});

export function useProjectDocuments(project: string, limit: number) {
  const input = { params: { id: project }, query: { page: 1, limit, ...NO_LINKS } };
  return useRead<typeof listProjectDocuments>('GET /documents/project/:id', input);
}

export function useDocumentStats() {
  return useRead<typeof getDocumentStats>('GET /documents/stats', {});
}

export function useDocumentLimits() {
  return useRead<typeof getDocumentLimits>('GET /documents/limits', {}, REFETCH_ONLINE);
}

/** Even a slow connection uploads a part in less time. */
const TOUCH_WINDOW_MS = 2 * 60_000;

export const wasTouchedRecently = ({ touchedAt }: UnfinishedUpload): boolean =>
  Date.now() - Date.parse(touchedAt) < TOUCH_WINDOW_MS;

/** No event reports parts, so the list is polled while some arrive. */
export function useUnfinishedUploads() {
  const uploads = useRead<typeof listDocumentUploads>('GET /documents/uploads', {}, REFETCH_ONLINE);
  const isUploading = uploads.data?.data.some(wasTouchedRecently) ?? false;
  useRead<typeof listDocumentUploads>('GET /documents/uploads', isUploading ? {} : null, POLL_PARTS);
  return uploads;
}

const POLL_PARTS = { refreshInterval: 20_000 };

export function useDocument(id: string) {
  const input = { params: { id }, query: NO_LINKS };
  return useRead<typeof getDocument>('GET /documents/:id', input, { keepPreviousData: false });
}

export async function documentExists(id: string): Promise<boolean> {
  try {
    await call<typeof getDocument>('GET /documents/:id', { params: { id }, query: NO_LINKS });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

export function fetchDocument(id: string): Promise<Document> {
  return call<typeof getDocument>('GET /documents/:id', { params: { id } });
}

export function useDeletedDocuments(page: number) {
  return useRead<typeof listDeletedDocuments>('GET /documents/trash', { query: { page, limit: ROWS_PER_PAGE } });
}

export function useDocumentVersions(id: string, page: number) {
  const input = { params: { id }, query: { page, limit: ROWS_PER_PAGE, ...NO_LINKS } };
  return useRead<typeof listDocumentVersions>('GET /documents/:id/versions', input);
}

export function fetchVersion(id: string, number: number): Promise<DocumentVersion> {
  return call<typeof getDocumentVersion>('GET /documents/:id/versions/:number', { params: { id, number } });
}

/** Does not count as a download. */
export function fetchPreview(id: string, version?: number): Promise<Preview> {
  const query = version === undefined ? {} : { version };
  return call<typeof getDocumentPreview>('GET /documents/:id/preview', { params: { id }, query });
}

/** No event reports downloads, so an open log is polled. */
const POLL_LOG = { refreshInterval: 2_000 };

export function useDocumentDownloads(id: string, page: number) {
  const input = { params: { id }, query: { page, limit: ROWS_PER_PAGE } };
  return useRead<typeof listDocumentDownloads>('GET /documents/:id/downloads', input, POLL_LOG);
}
