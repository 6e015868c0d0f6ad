import type { Document } from '@atrium/proto-events/http/documents';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Exchange } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { type DocumentRow, findReadable, lockReadable } from '../documents/document-repository.ts';
import { EDIT_REFUSED, mayManage } from '../documents/policy.ts';
import { presentSent } from '../documents/present-document.ts';
import { type Intake, takeInFile } from '../uploads/take-in-file.ts';
import { changeFile } from './change-file.ts';

/** Takes in a new version of a document's file. The file that it has already makes none. */
export async function addVersion(
  deps: Deps,
  caller: Caller,
  { id, exchange }: { id: string; exchange: Exchange },
): Promise<Document> {
  const intake: Intake = {
    documentId: id,
    request: { call: 'version', id },
    judge: async () => void requireManaged(caller, await findReadable(deps.db, caller, id)),
    record: async (tx, file) => {
      const document = requireManaged(caller, await lockReadable(tx, caller, id));
      if (document.object_key !== file.objectKey) await changeFile(tx, { caller, document, file });
    },
  };
  const { documentId } = await takeInFile(deps, caller, { exchange, intake });
  if (documentId !== id) throw new AppError('conflict', 'This Idempotency-Key was used for another request');
  return presentSent(deps, caller, id);
}

/** The document, where the caller may change it; throws `not_found` and `forbidden`. */
export function requireManaged(caller: Caller, document: DocumentRow | undefined): DocumentRow {
  if (!document) throw notFound('Document');
  if (!mayManage(caller, document)) throw new AppError('forbidden', EDIT_REFUSED);
  return document;
}
