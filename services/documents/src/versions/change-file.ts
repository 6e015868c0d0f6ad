import type { Document } from '@atrium/proto-events/http/documents';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { appendDocumentUpdated } from '../documents/append-document-events.ts';
import { changeDocument, type DocumentRow } from '../documents/document-repository.ts';
import { presentById } from '../documents/present-document.ts';
import { lockManageable } from '../documents/require-document.ts';
import { type FileData, findVersion, insertVersion } from '../documents/version-repository.ts';

/** Adds no version if the file is unchanged. */
export async function insertUploadedVersion(
  tx: Queryable,
  { caller, id, file }: { caller: Caller; id: string; file: FileData },
): Promise<void> {
  const document = await lockManageable(tx, caller, { id });
  if (document.object_key !== file.objectKey) await changeFile(tx, { caller, document, file });
}

type RestoreVersionParams = { id: string; number: number; key: IdempotencyKey | undefined };

/** Adds a version that refers to the same object; later versions are unchanged. */
export async function restoreVersion(
  deps: Deps,
  caller: Caller,
  { id, number, key }: RestoreVersionParams,
): Promise<Document> {
  await withIdempotencyKey(deps.db, { caller, key }, async (tx) => {
    const document = await lockManageable(tx, caller, { id });
    const version = await findVersion(tx, id, number);
    if (!version) throw notFound('Version');
    if (version.file_lost) throw new AppError('conflict', 'The file of this version is no longer in storage');
    if (version.object_key === document.object_key) return null;
    const { object_key: objectKey, extension, mimetype, size, sha256 } = version;
    const file = { objectKey, extension, mimetype, size, sha256 };
    await changeFile(tx, { caller, document, file, restoredFrom: number });
    return null;
  });
  return presentById(deps, caller, id);
}

type FileChange = { caller: Caller; document: DocumentRow; file: FileData; restoredFrom?: number };

async function changeFile(tx: Queryable, { caller, document, file, restoredFrom }: FileChange): Promise<void> {
  const number = document.file_number + 1;
  const { objectKey: object_key, extension, mimetype, size, sha256 } = file;
  await insertVersion(tx, { documentId: document.id, number, uploadedBy: caller.userId, file, restoredFrom });
  const columns = { object_key, extension, mimetype, size, sha256, file_number: number };
  const row = await changeDocument(tx, document.id, columns);
  await appendDocumentUpdated(tx, { row, changed: ['file'], actorId: caller.userId });
}
