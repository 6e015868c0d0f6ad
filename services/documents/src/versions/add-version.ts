import type { Document } from '@atrium/proto-events/http/documents';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { HttpContext } from '@atrium/service-kit/http/handle';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { type DocumentRow, findReadable, lockReadable } from '../documents/document-repository.ts';
import { EDIT_REFUSED, mayManage } from '../documents/policy.ts';
import { presentSent } from '../documents/present-document.ts';
import { receiveUpload, type TakenFile, type UploadHandler } from '../uploads/receive-upload.ts';
import { changeFile } from './change-file.ts';

/** Takes in a new version of a document's file. The file that it has already makes none. */
export async function addVersion(
  deps: Deps,
  caller: Caller,
  { id, exchange }: { id: string; exchange: HttpContext },
): Promise<Document> {
  const intake: UploadHandler = {
    documentId: id,
    judge: () => requireManageable(deps.db, caller, id),
    record: (tx, file) => recordVersion(tx, { caller, id, file }),
  };
  const { documentId } = await receiveUpload(deps, caller, { exchange, intake });
  if (documentId !== id) throw new AppError('conflict', 'This Idempotency-Key was used for another request');
  return presentSent(deps, caller, id);
}

/** Throws `not_found` and `forbidden` where the caller may not give the document another file. */
export async function requireManageable(db: Queryable, caller: Caller, id: string): Promise<void> {
  requireManaged(caller, await findReadable(db, caller, id));
}

/** Gives a document a recorded object as its newest version, unless it has it already. */
export async function recordVersion(
  tx: Queryable,
  { caller, id, file }: { caller: Caller; id: string; file: TakenFile },
): Promise<void> {
  const document = requireManaged(caller, await lockReadable(tx, caller, id));
  if (document.object_key !== file.objectKey) await changeFile(tx, { caller, document, file });
}

/** The document, where the caller may change it; throws `not_found` and `forbidden`. */
export function requireManaged(caller: Caller, document: DocumentRow | undefined): DocumentRow {
  if (!document) throw notFound('Document');
  if (!mayManage(caller, document)) throw new AppError('forbidden', EDIT_REFUSED);
  return document;
}
