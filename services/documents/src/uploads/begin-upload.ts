import { cleanFileName } from '@atrium/object-store/file-names/file-name';
import { assertQuota, enforceWorkspaceQuota, lockQuota } from '@atrium/object-store/objects/quota';
import { tooLarge } from '@atrium/object-store/objects/store-file';
import type { beginDocumentUploadBody, DocumentUpload } from '@atrium/proto-events/http/document-uploads';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { assertProjectMember } from '../projects/assert-project-member.ts';
import { assertManageable } from '../versions/add-version.ts';
import { getUpload } from './read-uploads.ts';
import { KEY_PREFIX } from './receive-upload.ts';
import { insertUpload, listUploadRows, type NewUpload } from './upload-repository.ts';

/** More than S3's minimum (5 MiB), and little to resend. S3 allows 10,000 parts. */
const PART_BYTES = 8 * 1024 * 1024;
/** Each keeps parts in the object store, for up to a day. */
const MAX_UNFINISHED_UPLOADS = 100;

type BeginUploadParams = { body: z.output<typeof beginDocumentUploadBody>; key: IdempotencyKey | undefined };

/** Reserves quota for a multipart upload. Rejects invalid uploads before any byte is sent. */
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
  store.require();
  const documentId = document ?? newId();
  const objectKey = `${KEY_PREFIX}${documentId}/${newId()}`;
  const upload: NewUpload = {
    id: newId(),
    uploaded_by: caller.userId,
    document_id: documentId,
    is_version: document !== undefined,
    file_name: cleanFileName(fileName),
    size,
    part_bytes: PART_BYTES,
    last_modified: lastModified ?? null,
    fields,
    object_key: objectKey,
    // Before the row: if the process crashes, the sweep removes the parts.
    store_upload_id: await store.parts.begin(objectKey),
  };
  let recordedId: string | undefined;
  try {
    recordedId = await record(deps, caller, { upload, key });
  } finally {
    if (recordedId !== upload.id) await store.parts.abort({ key: objectKey, uploadId: upload.store_upload_id });
  }
  return getUpload(deps, caller, recordedId);
}

type Recording = Pick<BeginUploadParams, 'key'> & { upload: NewUpload };

/** Returns the id of this upload, or of the one created by an earlier call with the same key. */
function record({ db, quotas }: Deps, caller: Caller, { upload, key }: Recording): Promise<string> {
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
