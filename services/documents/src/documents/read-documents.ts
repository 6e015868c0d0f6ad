import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listDocuments as listContract } from '@atrium/proto-events/http/documents';
import { notFound } from '@atrium/service-kit/app-error';
import type { Caller } from '@atrium/service-kit/authenticate';
import { toPage } from '@atrium/service-kit/page';
import type { Deps } from '../app.ts';
import { findReadable } from './document-repository.ts';
import { findPeopleByName } from './find-people.ts';
import { listDocumentRows, listMostDownloaded, sumDocuments } from './list-repository.ts';
import { presentDocument } from './present-document.ts';

type Query = RequestOf<typeof listContract>['query'];

export async function listDocuments(deps: Deps, caller: Caller, query: Query) {
  const { rows, total } = await listDocumentRows(deps.db, caller, {
    filter: { search: query.search, uploaders: findPeopleByName(deps.directory, query.search) },
    order: query,
    page: { limit: query.limit, offset: (query.page - 1) * query.limit },
  });
  return toPage(
    rows.map((row) => presentDocument(deps, caller, row)),
    total,
    query,
  );
}

/** A single document is asked for to download it, so its link counts as a download; those of a list do not. */
export async function getDocument(deps: Deps, caller: Caller, id: string) {
  const row = await findReadable(deps.db, caller, id);
  if (!row) throw notFound('Document');
  const document = presentDocument(deps, caller, row);
  if (document.downloadUrl !== undefined) deps.downloads.count(id);
  return document;
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
