import { enforceWorkspaceQuota } from '@atrium/object-store/objects/quota';
import { type FileParts, type FormFields, invalidForm } from '@atrium/object-store/uploads/receive-form';
import {
  measureFiles,
  type ReceivedFile,
  receiveFormFiles,
  recordWithinQuota,
} from '@atrium/object-store/uploads/receive-form-files';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { closeEarlyResponse } from '@atrium/service-kit/http/close-early-response';
import type { HttpContext } from '@atrium/service-kit/http/handle';
import {
  findFirstResponse,
  type IdempotencyKey,
  idempotencyKey,
  isKeyRecorded,
  withForm,
  withIdempotencyKey,
} from '@atrium/service-kit/http/idempotency';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Request } from 'express';
import type { Deps } from '../deps.ts';

/** Prefix of all objects of this service. */
export const KEY_PREFIX = 'documents/';

/** Stored for repeated calls with the same key. */
export type Recorded = { documentId: string; objectKey: string };

export type UploadHandler = {
  documentId: string;
  /** Throws if the file is not allowed. Called with the leading fields before any byte is stored, and with all fields afterwards. */
  validate(fields: FormFields): Promise<void>;
  /** Links the object in the transaction that records it. */
  record(tx: Queryable, file: ReceivedFile, fields: FormFields): Promise<void>;
};

const FILE_REQUIRED = 'A file is required';
const PARTS: FileParts = {
  name: 'file',
  max: 1,
  unexpectedMessage: FILE_REQUIRED,
  tooManyMessage: 'Send one file at a time',
  fieldBytes: 16 * 1024,
};

/**
 * Receives the file of a form: stores the object, then its record; no failure leaves an unrecorded object. Rejections are sent
 * immediately, without reading the rest of the file. A repeated call gets the earlier result. Throws `conflict` if the key was used with
 * another file or other fields.
 */
export async function receiveUpload(
  deps: Deps,
  caller: Caller,
  { exchange: { req, res }, handler }: { exchange: HttpContext; handler: UploadHandler },
): Promise<Recorded> {
  closeEarlyResponse(req, res);
  const key = idempotencyKey(req);
  if (!key || !(await isKeyRecorded(deps.db, { caller, key }))) return storeFile(deps, caller, { req, key, handler });
  const form = await measureFiles(deps, { req, parts: PARTS });
  return findFirstResponse<Recorded>(deps.db, { caller, key: withForm(key, form) });
}

type StoreFileParams = { req: Request; key: IdempotencyKey | undefined; handler: UploadHandler };

async function storeFile(deps: Deps, caller: Caller, { req, key, handler }: StoreFileParams): Promise<Recorded> {
  const { userId } = caller;
  const recorded = await receiveFormFiles<Recorded>(deps, {
    req,
    userId,
    parts: PARTS,
    newKey: () => `${KEY_PREFIX}${handler.documentId}/${newId()}`,
    async validate(fields) {
      await handler.validate(fields);
      return 'store';
    },
    async record({ fields, files: [file] }) {
      if (!file) throw invalidForm(FILE_REQUIRED);
      const formKey = key && withForm(key, { fields, files: [file] });
      const result = await withIdempotencyKey(deps.db, { caller, key: formKey }, async (tx): Promise<Recorded> => {
        const objectKey = await recordWithinQuota(tx, { quotas: deps.quotas, userId, file });
        await handler.record(tx, { ...file, objectKey }, fields);
        await enforceWorkspaceQuota(tx, deps.quotas, file.size);
        return { documentId: handler.documentId, objectKey };
      });
      return { result, objectKeys: [result.objectKey] };
    },
  });
  deps.pictures.wake();
  deps.texts.wake();
  return recorded;
}
