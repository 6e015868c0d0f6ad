import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listSharedDocuments as contract, SharedDocument } from '@atrium/proto-events/http/document-access';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { listReadable } from '../documents/document-repository.ts';
import { presentDocument } from '../documents/present-document.ts';
import { listSharesFromOthers } from './share-repository.ts';

type Query = RequestOf<typeof contract>['query'];

export async function listShared(deps: Deps, caller: Caller, query: Query) {
  const { shares, total } = await listSharesFromOthers(deps.db, caller, toLimits(query));
  const rows = await listReadable(
    deps.db,
    caller,
    shares.map(({ document_id }) => document_id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const data = shares.flatMap(({ document_id, granted_by, shared_at }): SharedDocument[] => {
    const row = byId.get(document_id);
    if (!row) return [];
    const sharedBy = deps.directory.summary(granted_by);
    return [{ ...presentDocument(deps, caller, row, query.people), sharedBy, sharedAt: shared_at.toISOString() }];
  });
  return toPage(data, total, query);
}
