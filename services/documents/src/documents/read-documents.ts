import type { RequestOf } from '@atrium/proto-events/endpoint';
import type {
  FoundDocument,
  listDocuments as listContract,
  listProjectDocuments as projectContract,
} from '@atrium/proto-events/http/documents';
import { createMatcher } from '@atrium/proto-events/text/search';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { issueDownloadLink, issueDownloadLinks } from '../downloads/issue-download-links.ts';
import { awaitProject } from '../projects/assert-project-member.ts';
import { listExactly, listFiltered } from '../search/list-documents.ts';
import type { DocumentListing, Found } from '../search/listing.ts';
import { makeSnippet } from '../search/make-snippet.ts';
import { searchDocuments } from '../search/search-repository.ts';
import { findExcerpts } from '../search/snippet-repository.ts';
import type { DocumentRow } from './document-repository.ts';
import { readRows } from './list-repository.ts';
import { presentDocument } from './present-document.ts';
import { requireReadable } from './require-readable.ts';

const MAX_USERS = 1_000;

/** Ids of up to a thousand users whose full name matches. */
function findUsersByName(directory: Directory, text: string | undefined): string[] {
  if (!text?.trim()) return [];
  const matches = createMatcher(text);
  const found: string[] = [];
  for (const user of directory.users()) {
    if (user.deleted || !matches(`${user.firstName} ${user.lastName}`)) continue;
    if (found.push(user._id) === MAX_USERS) break;
  }
  return found;
}

type Query = RequestOf<typeof listContract>['query'];
type Page = RequestOf<typeof projectContract>['query'];

/** Searches and filters count up to a thousand matches. */
export async function listDocuments(deps: Deps, caller: Caller, query: Query) {
  const { kind, visibility, uploadedBy, project, tag, link, people, search: text = '' } = query;
  const listing = {
    filter: { kind, visibility, uploadedBy, project, tag: tag || undefined },
    order: query,
    page: query,
  };
  const { ids, ...totals } = await find(deps, caller, listing, text);
  const rows = await readRows(deps.db, caller, ids);
  const keys = rows.map((row) => row.object_key);
  const excerpts = await findExcerpts(deps.db, keys, text);
  const links = await linksOf(deps, caller, { link, rows });
  const present = (row: DocumentRow): FoundDocument => {
    const excerpt = excerpts.get(row.object_key);
    const document = { ...presentDocument(deps, caller, row, people), ...links.get(row.id) };
    return excerpt ? { ...document, snippet: makeSnippet(excerpt, text) } : document;
  };
  return toPage(rows.map(present), totals.total, { ...query, more: totals.more });
}

function find({ db, directory }: Deps, caller: Caller, listing: DocumentListing, text: string): Promise<Found> {
  const search = { text, uploaders: findUsersByName(directory, text) };
  if (text !== '') return searchDocuments(db, caller, { ...listing, search });
  const isFiltered = Object.values(listing.filter).some((value) => value !== undefined);
  return isFiltered ? listFiltered(db, caller, listing) : listExactly(db, caller, listing);
}

const NEWEST_FIRST = { sortBy: 'createdAt', sortOrder: 'desc' } as const;

export async function listRecentDocuments(deps: Deps, caller: Caller, page: Page) {
  const found = await listExactly(deps.db, caller, { filter: {}, order: NEWEST_FIRST, page });
  return presentNewest(deps, caller, { page, found });
}

/** Every signed-in user can see every project, so an unknown one is 404. */
export async function listProjectDocuments(deps: Deps, caller: Caller, { id, page }: { id: string; page: Page }) {
  const project = await awaitProject(deps.db, { projectId: id, userId: caller.userId });
  if (!project || project.deleted) throw notFound('Project');
  const found = await listExactly(deps.db, caller, { filter: { project: id }, order: NEWEST_FIRST, page });
  return presentNewest(deps, caller, { page, found });
}

type Newest = { page: Page; found: Found };

async function presentNewest(deps: Deps, caller: Caller, { page, found: { ids, total } }: Newest) {
  const rows = await readRows(deps.db, caller, ids);
  const links = await linksOf(deps, caller, { link: page.link, rows });
  return toPage(
    rows.map((row) => ({ ...presentDocument(deps, caller, row, page.people), ...links.get(row.id) })),
    total,
    page,
  );
}

type Linked = { link: Query['link']; rows: readonly DocumentRow[] };

/** Download links by document id, if requested. */
async function linksOf(deps: Deps, caller: Caller, { link, rows }: Linked) {
  const files = link !== 'true' ? [] : rows.map((row) => ({ ...row, document_id: row.id, number: row.file_number }));
  const links = await issueDownloadLinks(deps, caller, files);
  return new Map(rows.map((row, at) => [row.id, links[at] ?? {}]));
}

/** A single document is requested for download, so its link counts as one; links of lists do not. */
export async function getDocument(deps: Deps, caller: Caller, { id, hasLink }: { id: string; hasLink: boolean }) {
  const row = await requireReadable(deps.db, caller, id);
  const document = presentDocument(deps, caller, row);
  if (!hasLink) return document;
  return {
    ...document,
    ...(await issueDownloadLink(deps, caller, { ...row, document_id: id, number: row.file_number })),
  };
}
