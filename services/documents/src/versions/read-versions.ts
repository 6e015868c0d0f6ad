import { linkOf } from '@atrium/object-store/objects/link-of';
import type { DocumentVersion } from '@atrium/proto-events/http/document-versions';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { type DocumentRow, findReadable } from '../documents/document-repository.ts';
import { findVersion, listVersionRows, type VersionRow } from './version-repository.ts';

/** Whoever reads a document reads what it was. */
export async function listVersions(
  deps: Deps,
  caller: Caller,
  { id, page }: { id: string; page: { page: number; limit: number } },
) {
  const document = await requireReadable(deps, caller, id);
  const { rows, total } = await listVersionRows(deps.db, id, page);
  return toPage(
    rows.map((row) => presentVersion(deps, document, row)),
    total,
    page,
  );
}

/** A single version is asked for to download it. */
export async function getVersion(deps: Deps, caller: Caller, { id, number }: { id: string; number: number }) {
  const document = await requireReadable(deps, caller, id);
  const row = await findVersion(deps.db, id, number);
  if (!row) throw notFound('Version');
  const version = presentVersion(deps, document, row);
  if (version.downloadUrl !== undefined) deps.downloads.count(id);
  return version;
}

async function requireReadable({ db }: Deps, caller: Caller, id: string): Promise<DocumentRow> {
  const document = await findReadable(db, caller, id);
  if (!document) throw notFound('Document');
  return document;
}

function presentVersion({ directory, store }: Deps, document: DocumentRow, row: VersionRow): DocumentVersion {
  return {
    number: row.number,
    isCurrent: row.number === document.file_number,
    mimetype: row.mimetype,
    size: row.size,
    sha256: row.sha256,
    uploadedBy: directory.summary(row.uploaded_by),
    ...(row.restored_from !== null && { restoredFrom: row.restored_from }),
    createdAt: row.created_at.toISOString(),
    ...linkOf(store, document.name, row),
  };
}
