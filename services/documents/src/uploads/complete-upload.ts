import { extensionOf } from '@atrium/object-store/file-names/file-name';
import { queueRemovalIn } from '@atrium/object-store/objects/object-remover';
import { enforceWorkspaceQuota } from '@atrium/object-store/objects/quota';
import { measureObject, type StoredFile } from '@atrium/object-store/objects/store-file';
import { type ReceivedFile, recordObjectWithinQuota } from '@atrium/object-store/uploads/receive-form-files';
import type { Document } from '@atrium/proto-events/http/documents';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import type { Deps } from '../deps.ts';
import { presentWithLink } from '../documents/present-document.ts';
import { assertManageable } from '../documents/require-document.ts';
import { assertProjectMember } from '../projects/project-membership.ts';
import { insertUploadedVersion } from '../versions/change-file.ts';
import { insertUploadedDocument } from './insert-uploaded-document.ts';
import { finishUpload, hasAllParts, toStoreUpload, touchUpload, type UploadRow } from './upload-repository.ts';

/**
 * Any process can resume a completion that crashed. Concurrent calls share a run, because hashing a large file can
 * outlast connections; on another pod, a retry reads the file again, and the first to finish records it.
 */
export function createCompleteUpload(deps: Deps): (caller: Caller, id: string) => Promise<Document> {
  const runs = new Map<string, Promise<string>>();
  return async (caller, id) => {
    const key = `${caller.userId} ${id}`;
    const run = runs.get(key) ?? complete(deps, caller, id).finally(() => runs.delete(key));
    runs.set(key, run);
    return presentWithLink(deps, caller, await run);
  };
}

async function complete(deps: Deps, caller: Caller, id: string): Promise<string> {
  const { db, store, remover } = deps;
  const upload = await touchUpload(db, caller, id);
  if (!upload) throw notFound('Upload');
  if (upload.finished_at) return upload.document_id;
  await assertStillAllowed(db, caller, upload);
  store.assertAvailable();
  await assembleObject(deps, upload);
  const stored = await measureObject(store, upload.object_key);
  crashPoint('after-upload-before-commit');
  try {
    await recordCompletedUpload(deps, caller, { upload, stored });
  } catch (error) {
    // The upload was canceled in the meantime, perhaps before the object existed.
    if (!(await touchUpload(db, caller, id))) await remover.queueRemoval(upload.object_key);
    throw error;
  }
  crashPoint('after-commit-before-response');
  remover.wake();
  deps.thumbnailQueue.wake();
  deps.textQueue.wake();
  return upload.document_id;
}

/** Permissions may have changed since the upload began. */
async function assertStillAllowed(db: Queryable, caller: Caller, upload: UploadRow): Promise<void> {
  if (upload.is_version) await assertManageable(db, caller, upload.document_id);
  else await assertProjectMember(db, caller, upload.fields.project);
}

/** Completes the upload in the object store, unless an earlier attempt already did. */
async function assembleObject({ store }: Deps, upload: UploadRow): Promise<void> {
  const parts = await store.parts.list(toStoreUpload(upload));
  if (parts) {
    if (!hasAllParts(upload, parts)) throw new AppError('conflict', 'Parts of the file are still missing');
    await store.parts.complete(toStoreUpload(upload), parts);
  }
  if (!(await store.has(upload.object_key))) throw notFound('Upload');
}

type CompletedUpload = { upload: UploadRow; stored: StoredFile };

function recordCompletedUpload(
  { db, quotas }: Deps,
  caller: Caller,
  { upload, stored }: CompletedUpload,
): Promise<void> {
  return db.transaction(async (tx) => {
    const previous = await finishUpload(tx, caller, upload.id);
    if (!previous) throw notFound('Upload');
    if (previous.finished_at) return;
    const objectKey = await recordObjectWithinQuota(tx, { quotas, userId: caller.userId, file: stored });
    if (objectKey !== stored.objectKey) await queueRemovalIn(tx, stored.objectKey);
    const fileName = upload.file_name;
    const file: ReceivedFile = { ...stored, objectKey, fileName, extension: extensionOf(fileName) };
    const { document_id: documentId, fields } = upload;
    if (upload.is_version) await insertUploadedVersion(tx, { caller, id: documentId, file });
    else await insertUploadedDocument(tx, { documentId, caller, file, fields });
    await enforceWorkspaceQuota(tx, quotas, stored.size);
  });
}
