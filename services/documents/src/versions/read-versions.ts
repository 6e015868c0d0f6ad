import { createPreview } from '@atrium/object-store/thumbnails/present-thumbnail';
import type { DocumentVersion } from '@atrium/proto-events/http/document-versions';
import type { Preview } from '@atrium/proto-events/http/previews';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import type { DocumentRow } from '../documents/document-repository.ts';
import { requireReadable } from '../documents/require-document.ts';
import { findVersion, listVersionRows, type VersionRow } from '../documents/version-repository.ts';
import { issueDownloadLink, issueDownloadLinks } from '../downloads/download-links.ts';

export async function listVersions(
  deps: Deps,
  caller: Caller,
  { id, page, includeLinks }: { id: string; page: { page: number; limit: number }; includeLinks: boolean },
) {
  const document = await requireReadable(deps.db, caller, id);
  const { rows, total } = await listVersionRows(deps.db, id, page);
  const links = includeLinks
    ? await issueDownloadLinks(
        deps,
        caller,
        rows.map((row) => toLinkedFile(document, row)),
      )
    : [];
  return toPage(
    rows.map((row, index) => ({ ...presentVersion(deps, document, row), ...links[index] })),
    total,
    page,
  );
}

export async function getVersion(deps: Deps, caller: Caller, { id, number }: { id: string; number: number }) {
  const document = await requireReadable(deps.db, caller, id);
  const row = await requireVersion(deps, id, number);
  return {
    ...presentVersion(deps, document, row),
    ...(await issueDownloadLink(deps, caller, toLinkedFile(document, row))),
  };
}

const toLinkedFile = (document: DocumentRow, row: VersionRow) => ({
  ...row,
  document_id: document.id,
  name: document.name,
});

async function requireVersion({ db }: Pick<Deps, 'db'>, id: string, number: number): Promise<VersionRow> {
  const row = await findVersion(db, id, number);
  if (!row) throw notFound('Version');
  return row;
}

function presentVersion({ directory }: Deps, document: DocumentRow, row: VersionRow): DocumentVersion {
  return {
    number: row.number,
    isCurrent: row.number === document.file_number,
    mimetype: row.mimetype,
    size: row.size,
    sha256: row.sha256,
    uploadedBy: directory.summary(row.uploaded_by),
    ...(row.restored_from !== null && { restoredFrom: row.restored_from }),
    createdAt: row.created_at.toISOString(),
    ...(row.file_lost && { fileLost: true as const }),
  };
}

/** Viewing does not count as a download. */
export async function getPreview(
  deps: Deps,
  caller: Caller,
  { id, version }: { id: string; version?: number | undefined },
): Promise<Preview> {
  const document = await requireReadable(deps.db, caller, id);
  const file = version === undefined ? document : await requireVersion(deps, id, version);
  return createPreview(deps, { ...file, name: document.name });
}
