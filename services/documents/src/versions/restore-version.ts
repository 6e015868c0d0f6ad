import type { Document } from '@atrium/proto-events/http/documents';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from '../deps.ts';
import { lockReadable } from '../documents/document-repository.ts';
import { presentById } from '../documents/present-document.ts';
import { requireManaged } from './add-version.ts';
import { changeFile } from './change-file.ts';
import { findVersion } from './version-repository.ts';

type RestoreVersionParams = { id: string; number: number; key: IdempotencyKey | undefined };

/** Restores an earlier file as the newest version, referring to the same object. Later versions are unchanged. */
export async function restoreVersion(
  deps: Deps,
  caller: Caller,
  { id, number, key }: RestoreVersionParams,
): Promise<Document> {
  await withIdempotencyKey(deps.db, { caller, key }, async (tx) => {
    const document = requireManaged(caller, await lockReadable(tx, caller, id));
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
