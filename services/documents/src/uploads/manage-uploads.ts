import { cleanFileName } from '@atrium/object-store/file-names/file-name';
import { assertQuota, enforceWorkspaceQuota, lockQuota } from '@atrium/object-store/objects/quota';
import { tooLarge } from '@atrium/object-store/objects/store-file';
import {
  type beginDocumentUploadBody,
  type DocumentUpload,
  MAX_UNFINISHED_UPLOADS,
  type UnfinishedUpload,
} from '@atrium/proto-events/http/document-uploads';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { assertManageable } from '../documents/require-document.ts';
import { assertProjectMember } from '../projects/project-membership.ts';
import {
  countParts,
  deleteUpload,
  findUpload,
  insertUpload,
  listUploadRows,
  type NewUpload,
  newObjectKey,
  toStoreUpload,
  type UploadRow,
} from './upload-repository.ts';

/** Size of the parts that browsers send: above the S3 minimum of 5 MiB, and cheap to resend. S3 allows 10,000 parts. */
const CLIENT_PART_BYTES = 8 * 1024 * 1024;

type BeginUploadParams = { body: z.output<typeof beginDocumentUploadBody>; key: IdempotencyKey | undefined };

/** Begins an upload in parts. Rejects an invalid one before any byte is sent. */
export async function beginUpload(
  deps: Deps,
  caller: Caller,
  { body, key }: BeginUploadParams,
): Promise<DocumentUpload> {
  const { db, store, maxUploadBytes } = deps;
  const { document, fileName, size, lastModified, ...fields } = body;
  if (size > maxUploadBytes) throw tooLarge(maxUploadBytes);
  if (document === undefined) await assertProjectMember(db, caller, fields.project);
  else await assertManageable(db, caller, document);
  store.assertAvailable();
  const documentId = document ?? newId();
  const objectKey = newObjectKey(documentId);
  const upload: NewUpload = {
    id: newId(),
    uploaded_by: caller.userId,
    document_id: documentId,
    is_version: document !== undefined,
    file_name: cleanFileName(fileName),
    size,
    part_bytes: CLIENT_PART_BYTES,
    last_modified: lastModified ?? null,
    fields,
    object_key: objectKey,
    // Begins before the row is inserted: if the process crashes in between, the sweep removes the parts.
    store_upload_id: await store.parts.begin(objectKey),
  };
  let reservedId: string | undefined;
  try {
    reservedId = await reserveUpload(deps, caller, { upload, key });
  } finally {
    if (reservedId !== upload.id) await store.parts.abort(toStoreUpload(upload));
  }
  return getUpload(deps, caller, reservedId);
}

type ReserveUploadParams = { upload: NewUpload; key: IdempotencyKey | undefined };

/** Returns the id of the upload, or that of the first request if this one is a retry. */
function reserveUpload({ db, quotas }: Deps, caller: Caller, { upload, key }: ReserveUploadParams): Promise<string> {
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    assertQuota(await lockQuota(tx, { quotas, userId: caller.userId }), upload.size, quotas);
    if ((await listUploadRows(tx, caller)).length >= MAX_UNFINISHED_UPLOADS) {
      throw new AppError(
        'conflict',
        `You have ${MAX_UNFINISHED_UPLOADS} unfinished uploads. Finish or discard some first.`,
      );
    }
    await insertUpload(tx, upload);
    await enforceWorkspaceQuota(tx, quotas, upload.size);
    return upload.id;
  });
}

export async function listUploads({ db }: Deps, caller: Caller): Promise<{ data: UnfinishedUpload[] }> {
  return { data: (await listUploadRows(db, caller)).map(presentUpload) };
}

export async function getUpload({ db, store }: Deps, caller: Caller, id: string): Promise<DocumentUpload> {
  const upload = await findUpload(db, caller, id);
  if (!upload) throw notFound('Upload');
  return { ...presentUpload(upload), partBytes: upload.part_bytes, parts: await listStoredParts(store, upload) };
}

async function listStoredParts(store: Deps['store'], upload: UploadRow): Promise<number[]> {
  const allNumbers = Array.from({ length: countParts(upload) }, (_, index) => index + 1);
  if (upload.finished_at) return allNumbers;
  const stored = await store.parts.list(toStoreUpload(upload));
  if (stored) return stored.map(({ number }) => number);
  // The parts form an object that is not recorded yet, or the store has dropped them.
  if (await store.has(upload.object_key)) return allNumbers;
  throw notFound('Upload');
}

/** Deletes the row first, because the sweep removes parts without a row. */
export async function cancelUpload({ db, store, remover }: Deps, caller: Caller, id: string): Promise<void> {
  const upload = await deleteUpload(db, caller, id);
  if (upload) {
    await store.parts.abort(toStoreUpload(upload));
    remover.wake();
    return;
  }
  if (!(await findUpload(db, caller, id))) throw notFound('Upload');
  throw new AppError('conflict', 'This upload is complete');
}

function presentUpload(upload: UploadRow): UnfinishedUpload {
  return {
    _id: upload.id,
    fileName: upload.file_name,
    size: upload.size,
    ...(upload.last_modified !== null && { lastModified: upload.last_modified }),
    document: upload.is_version ? upload.document_id : null,
    touchedAt: upload.touched_at.toISOString(),
  };
}
