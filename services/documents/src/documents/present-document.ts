import { linkOf } from '@atrium/object-store/objects/link-of';
import type { Document } from '@atrium/proto-events/http/documents';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { thumbnailOf } from '../previews/thumbnail-of.ts';
import { departmentRefOf } from '../sharing/department-ref.ts';
import { type DocumentRow, findReadable } from './document-repository.ts';
import { abilities } from './policy.ts';

/** A row as the caller, who may read it, sees it: with names from the directory and a fresh link while there is an object store. */
export function presentDocument(
  { directory, store }: Pick<Deps, 'directory' | 'store'>,
  caller: Caller,
  row: DocumentRow,
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
    ...linkOf(store, row.name, row),
    ...thumbnailOf(store, row),
    uploadedBy: directory.summary(row.uploaded_by),
    sharedWith: row.shared_with.map((id) => directory.summary(id)),
    ...(row.shared_departments.length > 0 && {
      sharedWithDepartments: row.shared_departments.map((id) => departmentRefOf(directory, id)),
    }),
    ...(row.shared_projects.length > 0 && { sharedWithProjects: row.shared_projects }),
    project: row.project_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    fileNumber: row.file_number,
    ...(row.text_state && { text: row.text_state }),
    abilities: abilities(caller, row),
  };
}

/**
 * As `presentDocument`, of a document that the caller has just written; throws `not_found` where it has gone since. A repeat of an earlier
 * call comes here, too, and whoever made that may not read it any more.
 */
export async function presentById(deps: Deps, caller: Caller, id: string): Promise<Document> {
  const row = await findReadable(deps.db, caller, id);
  if (!row) throw notFound('Document');
  return presentDocument(deps, caller, row);
}
