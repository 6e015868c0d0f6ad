import { findLimits } from '@atrium/object-store/objects/quota';
import { readStorageHistory } from '@atrium/object-store/objects/storage-history';
import * as access from '@atrium/proto-events/http/document-access';
import * as uploads from '@atrium/proto-events/http/document-uploads';
import * as versions from '@atrium/proto-events/http/document-versions';
import * as contract from '@atrium/proto-events/http/documents';
import { getDocumentPreview } from '@atrium/proto-events/http/previews';
import { searchDocuments } from '@atrium/proto-events/http/search/documents';
import { closeSignal } from '@atrium/service-kit/http/close-signal';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from './deps.ts';
import { updateDocument } from './documents/update-document.ts';
import { listDownloads } from './downloads/download-log.ts';
import { getDocument, listDocuments, listProjectDocuments, listRecentDocuments } from './search/read-documents.ts';
import { searchEverywhere } from './search/search-everywhere.ts';
import { explainAccess, findUsersWithoutAccess, listShares } from './sharing/explain-access.ts';
import { listShared } from './sharing/list-shared.ts';
import { shareDocument, unshareDocument } from './sharing/share-document.ts';
import { getDocumentStats } from './stats/document-stats.ts';
import { deleteDocument, listDeleted, purgeDocument, restoreDocument } from './trash/manage-trash.ts';
import { createCompleteUpload } from './uploads/complete-upload.ts';
import { beginUpload, cancelUpload, getUpload, listUploads } from './uploads/manage-uploads.ts';
import { putPart } from './uploads/put-part.ts';
import { addVersion, uploadDocument } from './uploads/receive-form-upload.ts';
import { restoreVersion } from './versions/change-file.ts';
import { getPreview, getVersion, listVersions } from './versions/read-versions.ts';

export const documentsRoutes = (deps: Deps) => [...uploadRoutes(deps), ...libraryRoutes(deps)];

function uploadRoutes(deps: Deps) {
  const completeUpload = createCompleteUpload(deps);
  return [
    handle(contract.uploadDocument, (_request, caller, exchange) => uploadDocument(deps, caller, exchange)),
    handle(versions.addDocumentVersion, ({ params }, caller, exchange) =>
      addVersion(deps, caller, { id: params.id, exchange }),
    ),
    handle(uploads.beginDocumentUpload, ({ body }, caller, { req }) =>
      beginUpload(deps, caller, { body, key: idempotencyKey(req) }),
    ),
    handle(uploads.listDocumentUploads, (_request, caller) => listUploads(deps, caller)),
    handle(uploads.getDocumentUpload, ({ params }, caller) => getUpload(deps, caller, params.id)),
    handle(uploads.putDocumentUploadPart, ({ params }, caller, exchange) =>
      putPart(deps, caller, { ...params, exchange }),
    ),
    handle(uploads.completeDocumentUpload, ({ params }, caller) => completeUpload(caller, params.id)),
    handle(uploads.cancelDocumentUpload, ({ params }, caller) => cancelUpload(deps, caller, params.id)),
  ];
}

const libraryRoutes = (deps: Deps) => [
  handle(contract.listDocuments, ({ query }, caller) => listDocuments(deps, caller, query)),
  handle(searchDocuments, ({ query }, caller, { res }) =>
    searchEverywhere(deps, caller, { ...query, signal: closeSignal(res) }),
  ),
  handle(contract.listRecentDocuments, ({ query }, caller) => listRecentDocuments(deps, caller, query)),
  handle(access.listSharedDocuments, ({ query }, caller) => listShared(deps, caller, query)),
  handle(contract.listProjectDocuments, ({ params, query }, caller) =>
    listProjectDocuments(deps, caller, { id: params.id, page: query }),
  ),
  handle(contract.getDocumentLimits, async (_request, { userId }) => ({
    maxFileBytes: deps.maxUploadBytes,
    ...(await findLimits(deps.db, { quotas: deps.quotas, userId })),
  })),
  handle(contract.getDocumentStats, (_request, caller) => getDocumentStats(deps, caller)),
  handle(contract.getStorageHistory, ({ query }) => readStorageHistory(deps, query)),
  handle(versions.listDeletedDocuments, ({ query }, caller) => listDeleted(deps, caller, query)),
  handle(versions.restoreDocument, ({ params }, caller) => restoreDocument(deps, caller, params.id)),
  handle(versions.purgeDocument, ({ params }, caller) => purgeDocument(deps, caller, params.id)),
  handle(contract.getDocument, ({ params, query }, caller) =>
    getDocument(deps, caller, { ...params, includeLink: query.link === 'true' }),
  ),
  handle(getDocumentPreview, ({ params, query }, caller) => getPreview(deps, caller, { ...params, ...query })),
  handle(contract.updateDocument, ({ params, body }, caller) => updateDocument(deps, caller, { id: params.id, body })),
  handle(contract.deleteDocument, ({ params }, caller) => deleteDocument(deps, caller, params.id)),
  handle(access.shareDocument, ({ params, body }, caller) => shareDocument(deps, caller, { ...params, ...body })),
  handle(access.unshareDocument, ({ params, body }, caller) => unshareDocument(deps, caller, { ...params, ...body })),
  handle(access.listDocumentShares, ({ params }, caller) => listShares(deps, caller, params.id)),
  handle(access.explainDocumentAccess, ({ params, query }, caller) =>
    explainAccess(deps, caller, { ...params, ...query }),
  ),
  handle(access.findUsersWithoutAccess, ({ params, body }, caller) =>
    findUsersWithoutAccess(deps, caller, { ...params, ...body }),
  ),
  handle(access.listDocumentDownloads, ({ params, query }, caller) =>
    listDownloads(deps, caller, { id: params.id, page: query }),
  ),
  handle(versions.listDocumentVersions, ({ params, query }, caller) =>
    listVersions(deps, caller, { id: params.id, page: query, includeLinks: query.link === 'true' }),
  ),
  handle(versions.getDocumentVersion, ({ params }, caller) => getVersion(deps, caller, params)),
  handle(versions.restoreDocumentVersion, ({ params }, caller, { req }) =>
    restoreVersion(deps, caller, { ...params, key: idempotencyKey(req) }),
  ),
];
