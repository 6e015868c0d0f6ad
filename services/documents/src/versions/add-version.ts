import type { ReceivedFile } from '@atrium/object-store/uploads/receive-form-files';
import type { Document } from '@atrium/proto-events/http/documents';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { HttpContext } from '@atrium/service-kit/http/handle';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { type DocumentRow, findReadable, lockReadable } from '../documents/document-repository.ts';
import { canManage, EDIT_DENIED } from '../documents/policy.ts';
import { presentWithLink } from '../documents/present-document.ts';
import { receiveUpload, type UploadHandler } from '../uploads/receive-upload.ts';
import { changeFile } from './change-file.ts';

/** Adds a version to a document, unless the file is unchanged. */
export async function addVersion(
  deps: Deps,
  caller: Caller,
  { id, exchange }: { id: string; exchange: HttpContext },
): Promise<Document> {
  const handler: UploadHandler = {
    documentId: id,
    validate: () => assertManageable(deps.db, caller, id),
    record: (tx, file) => recordVersion(tx, { caller, id, file }),
  };
  const { documentId } = await receiveUpload(deps, caller, { exchange, handler });
  if (documentId !== id) throw new AppError('conflict', 'This Idempotency-Key was used for another request');
  return presentWithLink(deps, caller, id);
}

/** Throws `not_found` or `forbidden`. */
export async function assertManageable(db: Queryable, caller: Caller, id: string): Promise<void> {
  requireManaged(caller, await findReadable(db, caller, id));
}

/** Makes a recorded object the newest version, unless it is the current file. */
export async function recordVersion(
  tx: Queryable,
  { caller, id, file }: { caller: Caller; id: string; file: ReceivedFile },
): Promise<void> {
  const document = requireManaged(caller, await lockReadable(tx, caller, id));
  if (document.object_key !== file.objectKey) await changeFile(tx, { caller, document, file });
}

/** Throws `not_found` or `forbidden`. */
export function requireManaged(caller: Caller, document: DocumentRow | undefined): DocumentRow {
  if (!document) throw notFound('Document');
  if (!canManage(caller, document)) throw new AppError('forbidden', EDIT_DENIED);
  return document;
}
