import type { RequestOf } from '@atrium/proto-events/endpoint';
import type {
  FoundDocument,
  listDocuments as listEndpoint,
  listProjectDocuments as listProjectEndpoint,
} from '@atrium/proto-events/http/documents';
import { createMatcher } from '@atrium/proto-events/text/search';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { type DocumentRow, listReadable } from '../documents/document-repository.ts';
import { presentDocument } from '../documents/present-document.ts';
import { requireReadable } from '../documents/require-document.ts';
import { issueDownloadLink, issueDownloadLinks } from '../downloads/download-links.ts';
import { awaitProject } from '../projects/project-membership.ts';
import { listExactly, listFiltered, searchDocuments } from './find-documents.ts';
import type { DocumentListing, DocumentMatches } from './list-statements.ts';
import { findExcerpts, makeSnippet } from './snippets.ts';

const MAX_MATCHING_USERS = 1_000;

function findUsersByName(directory: Directory, text: string): string[] {
  if (text.trim() === '') return [];
  const matches = createMatcher(text);
  const userIds: string[] = [];
  for (const user of directory.users()) {
    if (user.deleted || !matches(`${user.firstName} ${user.lastName}`)) continue;
    if (userIds.push(user._id) === MAX_MATCHING_USERS) break;
  }
  return userIds;
}

type Query = RequestOf<typeof listEndpoint>['query'];
type PageQuery = RequestOf<typeof listProjectEndpoint>['query'];

export async function listDocuments(deps: Deps, caller: Caller, query: Query) {
  const { kind, visibility, uploadedBy, project, tag, link, people, search: text = '' } = query;
  const filter = { kind, visibility, uploadedBy, project, tag: tag || undefined };
  const listing = { filter, order: query, page: query };
  const { ids, ...totals } = await findMatches(deps, caller, listing, text);
  const rows = await listReadable(deps.db, caller, ids);
  const objectKeys = rows.map((row) => row.object_key);
  const excerpts = await findExcerpts(deps.db, objectKeys, text);
  const links = await issueLinks(deps, caller, { link, rows });
  const present = (row: DocumentRow): FoundDocument => {
    const excerpt = excerpts.get(row.object_key);
    const document = { ...presentDocument(deps, caller, row, people), ...links.get(row.id) };
    return excerpt ? { ...document, snippet: makeSnippet(excerpt, text) } : document;
  };
  return toPage(rows.map(present), totals.total, { ...query, hasMore: totals.hasMore });
}

function findMatches(
  { db, directory }: Deps,
  caller: Caller,
  listing: DocumentListing,
  text: string,
): Promise<DocumentMatches> {
  if (text !== '') {
    return searchDocuments(db, caller, { ...listing, search: { text, uploaders: findUsersByName(directory, text) } });
  }
  const isFiltered = Object.values(listing.filter).some((value) => value !== undefined);
  return isFiltered ? listFiltered(db, caller, listing) : listExactly(db, caller, listing);
}

const NEWEST_FIRST = { sortBy: 'createdAt', sortOrder: 'desc' } as const;

export async function listRecentDocuments(deps: Deps, caller: Caller, page: PageQuery) {
  return listNewest(deps, caller, { filter: {}, page });
}

/** Every signed-in user can see every project, so an unknown one is 404. */
export async function listProjectDocuments(deps: Deps, caller: Caller, { id, page }: { id: string; page: PageQuery }) {
  const project = await awaitProject(deps.db, { projectId: id, userId: caller.userId });
  if (!project || project.deleted) throw notFound('Project');
  return listNewest(deps, caller, { filter: { project: id }, page });
}

type ListNewestParams = { filter: DocumentListing['filter']; page: PageQuery };

async function listNewest(deps: Deps, caller: Caller, { filter, page }: ListNewestParams) {
  const { ids, total } = await listExactly(deps.db, caller, { filter, order: NEWEST_FIRST, page });
  const rows = await listReadable(deps.db, caller, ids);
  const links = await issueLinks(deps, caller, { link: page.link, rows });
  return toPage(
    rows.map((row) => ({ ...presentDocument(deps, caller, row, page.people), ...links.get(row.id) })),
    total,
    page,
  );
}

type IssueLinksParams = { link: Query['link']; rows: readonly DocumentRow[] };

async function issueLinks(deps: Deps, caller: Caller, { link, rows }: IssueLinksParams) {
  const files = link === 'true' ? rows.map(currentFile) : [];
  const links = await issueDownloadLinks(deps, caller, files);
  return new Map(rows.map((row, index) => [row.id, links[index] ?? {}]));
}

/** Counts the link of a single document as a download; links in lists are not counted. */
export async function getDocument(
  deps: Deps,
  caller: Caller,
  { id, includeLink }: { id: string; includeLink: boolean },
) {
  const row = await requireReadable(deps.db, caller, id);
  const document = presentDocument(deps, caller, row);
  return includeLink ? { ...document, ...(await issueDownloadLink(deps, caller, currentFile(row))) } : document;
}

const currentFile = (row: DocumentRow) => ({ ...row, document_id: row.id, number: row.file_number });
