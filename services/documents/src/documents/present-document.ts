import { presentDownloadLink } from '@atrium/object-store/objects/download-link';
import { presentThumbnail } from '@atrium/object-store/thumbnails/present-thumbnail';
import type { Document } from '@atrium/proto-events/http/documents';
import type { departmentRef } from '@atrium/proto-events/people';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import type { DocumentRow } from './document-repository.ts';
import { permissions } from './policy.ts';
import { requireReadable } from './require-document.ts';

export function presentDocument(
  { directory, store }: Pick<Deps, 'directory' | 'store'>,
  caller: Caller,
  row: DocumentRow,
  maxGrantees = row.shared_with.length,
): Document {
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    visibility: row.visibility,
    tags: row.tags,
    mimetype: row.mimetype,
    size: row.size,
    sha256: row.sha256,
    ...(row.file_lost && { fileLost: true as const }),
    ...presentThumbnail(store, row),
    uploadedBy: directory.summary(row.uploaded_by),
    sharedWith: row.shared_with.slice(0, maxGrantees).map((id) => directory.summary(id)),
    sharedWithCount: row.shared_with.length,
    ...(row.shared_departments.length > 0 && {
      sharedWithDepartments: row.shared_departments.map((id) => presentDepartment(directory, id)),
    }),
    ...(row.shared_projects.length > 0 && { sharedWithProjects: row.shared_projects }),
    project: row.project_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    fileNumber: row.file_number,
    ...(row.text_state && { text: row.text_state }),
    ...permissions(caller, row),
  };
}

/** Throws `not_found` if the document has since been deleted, or if the caller of a retry can no longer read it. */
export async function presentById(deps: Deps, caller: Caller, id: string): Promise<Document> {
  return presentDocument(deps, caller, await requireReadable(deps.db, caller, id));
}

export async function presentWithLink(deps: Deps, caller: Caller, id: string): Promise<Document> {
  const row = await requireReadable(deps.db, caller, id);
  return { ...presentDocument(deps, caller, row), ...presentDownloadLink(deps.store, row.name, row) };
}

/** Deleted departments stay in the directory. */
export const presentDepartment = (directory: Directory, id: string): z.output<typeof departmentRef> => ({
  _id: id,
  name: directory.department(id)?.name ?? 'Deleted department',
});
