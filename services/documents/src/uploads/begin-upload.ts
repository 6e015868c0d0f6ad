import { assertQuota, lockQuota, settleRoom } from '@atrium/object-store/objects/quota';
import { tooLarge } from '@atrium/object-store/objects/store-file';
import { cleanFileName } from '@atrium/object-store/uploads/file-name';
import type { beginDocumentUploadBody, DocumentUpload } from '@atrium/proto-events/http/document-uploads';
import { AppError } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { requireProjectPerson } from '../projects/assert-project-member.ts';
import { requireManageable } from '../versions/add-version.ts';
import { getUpload } from './read-uploads.ts';
import { KEY_PREFIX } from './receive-upload.ts';
import { insertUpload, listUploadRows, type NewUpload } from './upload-repository.ts';

/** More than the least that S3 takes (5 MiB), and little to send again. S3 takes 10,000 parts. */
const PART_BYTES = 8 * 1024 * 1024;
/** Each holds parts in the store, for a day. */
const MOST_UNFINISHED = 100;

type Given = { body: z.output<typeof beginDocumentUploadBody>; key: IdempotencyKey | undefined };

/** Keeps room for a file that comes in parts. What is refused is refused before a byte of it is sent. */
export async function beginUpload(deps: Deps, caller: Caller, { body, key }: Given): Promise<DocumentUpload> {
  const { db, store, maxUploadBytes } = deps;
  const { document, fileName, size, lastModified, ...fields } = body;
  if (size > maxUploadBytes) throw tooLarge(maxUploadBytes);
  if (document === undefined) await requireProjectPerson(db, caller, fields.project);
  else await requireManageable(db, caller, document);
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
    // Before the row: what the store holds for a process that died goes with the sweep.
    store_upload_id: await store.parts.begin(objectKey),
  };
  let named: string | undefined;
  try {
    named = await record(deps, caller, { upload, key });
  } finally {
    if (named !== upload.id) await store.parts.giveUp({ key: objectKey, uploadId: upload.store_upload_id });
  }
  return getUpload(deps, caller, named);
}

type Recording = Pick<Given, 'key'> & { upload: NewUpload };

/** Answers the id of this upload, or of the one that an earlier call with this key began. */
function record({ db, quotas }: Deps, caller: Caller, { upload, key }: Recording): Promise<string> {
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    assertQuota(await lockQuota(tx, { quotas, userId: caller.userId }), upload.size, quotas);
    if ((await listUploadRows(tx, caller)).length >= MOST_UNFINISHED) {
      throw new AppError('conflict', `You have ${MOST_UNFINISHED} unfinished uploads. Finish or discard some first.`);
    }
    await insertUpload(tx, upload);
    await settleRoom(tx, quotas, upload.size);
    return upload.id;
  });
}
