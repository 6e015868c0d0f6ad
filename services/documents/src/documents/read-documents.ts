import type { RequestOf } from '@atrium/proto-events/endpoint';
import type {
  listDocuments as listContract,
  listProjectDocuments as projectContract,
} from '@atrium/proto-events/http/documents';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { noteDownload } from '../downloads/download-log.ts';
import { awaitProject } from '../projects/require-project-person.ts';
import { findReadable } from './document-repository.ts';
import { findPeopleByName } from './find-people.ts';
import { type DocumentListing, listDocumentRows, listMostDownloaded, sumDocuments } from './list-repository.ts';
import { presentDocument } from './present-document.ts';

type Query = RequestOf<typeof listContract>['query'];
type Page = RequestOf<typeof projectContract>['query'];

export function listDocuments(deps: Deps, caller: Caller, query: Query) {
  const filter = { search: query.search, uploaders: findPeopleByName(deps.directory, query.search) };
  return listPage(deps, caller, { filter, order: query, page: query });
}

const NEWEST_FIRST = { sortBy: 'createdAt', sortOrder: 'desc' } as const;
const ANY = { search: undefined, uploaders: [] };

/** What was uploaded last of all that the caller may read. */
export function listRecentDocuments(deps: Deps, caller: Caller, page: Page) {
  return listPage(deps, caller, { filter: ANY, order: NEWEST_FIRST, page });
}

/** What the caller may read of a project's documents. Every signed-in user sees every project, so an unknown one is 404. */
export async function listProjectDocuments(deps: Deps, caller: Caller, { id, page }: { id: string; page: Page }) {
  const project = await awaitProject(deps.db, { projectId: id, userId: caller.userId });
  if (!project || project.deleted) throw notFound('Project');
  return listPage(deps, caller, { filter: { ...ANY, project: id }, order: NEWEST_FIRST, page });
}

async function listPage(deps: Deps, caller: Caller, listing: DocumentListing) {
  const { rows, total, more } = await listDocumentRows(deps.db, caller, listing);
  return toPage(
    rows.map((row) => presentDocument(deps, caller, row)),
    total,
    { ...listing.page, more },
  );
}

/** A single document is asked for to download it, so its link counts as a download; those of a list do not. */
export async function getDocument(deps: Deps, caller: Caller, { id, hasLink }: { id: string; hasLink: boolean }) {
  const row = await findReadable(deps.db, caller, id);
  if (!row) throw notFound('Document');
  const { downloadUrl, ...document } = presentDocument(deps, caller, row);
  if (downloadUrl === undefined || !hasLink) return document;
  await noteDownload(deps.db, { documentId: id, userId: caller.userId, fileNumber: row.file_number });
  deps.downloads.count(id);
  return { ...document, downloadUrl };
}

export async function getDocumentStats({ db }: Deps, caller: Caller) {
  const [sums, mostDownloaded] = await Promise.all([sumDocuments(db, caller), listMostDownloaded(db, caller)]);
  return {
    total: sums.total,
    totalSize: sums.total_size,
    recentUploads: sums.recent_uploads,
    categories: sums.categories,
    mostDownloaded: mostDownloaded.map(({ id, name, downloads }) => ({ _id: id, name, downloads })),
  };
}
