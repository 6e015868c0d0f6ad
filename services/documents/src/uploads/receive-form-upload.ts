import { enforceWorkspaceQuota } from '@atrium/object-store/objects/quota';
import { type FormFields, type FormFileField, invalidForm } from '@atrium/object-store/uploads/parse-form';
import {
  measureFiles,
  type ReceivedFile,
  receiveFormFiles,
  recordObjectWithinQuota,
} from '@atrium/object-store/uploads/receive-form-files';
import { type Document, uploadFields } from '@atrium/proto-events/http/documents';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { HttpExchange } from '@atrium/service-kit/http/handle';
import {
  findFirstResponse,
  type IdempotencyKey,
  idempotencyKey,
  isKeyRecorded,
  withForm,
  withIdempotencyKey,
} from '@atrium/service-kit/http/idempotency';
import { parseInput } from '@atrium/service-kit/http/parse-request';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { closeConnectionAfterEarlyResponse } from '@atrium/service-kit/process/http-server';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Request } from 'express';
import type { Deps } from '../deps.ts';
import { presentWithLink } from '../documents/present-document.ts';
import { assertManageable } from '../documents/require-document.ts';
import { assertProjectMember } from '../projects/project-membership.ts';
import { insertUploadedVersion } from '../versions/change-file.ts';
import { insertUploadedDocument } from './insert-uploaded-document.ts';
import { newObjectKey, type UploadFields } from './upload-repository.ts';

/** Receives a form upload. */
export async function uploadDocument(deps: Deps, caller: Caller, exchange: HttpExchange): Promise<Document> {
  const documentId = newId();
  const upload = await receiveUpload(deps, caller, {
    exchange,
    handler: {
      documentId,
      authorize: (fields) => assertProjectMember(deps.db, caller, parseFields(fields).project),
      insert: (tx, file, fields) =>
        insertUploadedDocument(tx, { documentId, caller, file, fields: parseFields(fields) }),
    },
  });
  return presentWithLink(deps, caller, upload.documentId);
}

export async function addVersion(
  deps: Deps,
  caller: Caller,
  { id, exchange }: { id: string; exchange: HttpExchange },
): Promise<Document> {
  const { documentId } = await receiveUpload(deps, caller, {
    exchange,
    handler: {
      documentId: id,
      authorize: () => assertManageable(deps.db, caller, id),
      insert: (tx, file) => insertUploadedVersion(tx, { caller, id, file }),
    },
  });
  if (documentId !== id) throw new AppError('conflict', 'This Idempotency-Key was used for a different request');
  return presentWithLink(deps, caller, id);
}

const parseFields = (fields: FormFields): UploadFields => parseInput('body', uploadFields, fields);

type RecordedUpload = { documentId: string; objectKey: string };

/** What a new document and a new version do differently. */
type UploadHandler = {
  documentId: string;
  /** Called with the preceding fields before any byte is stored, and with all fields afterward. */
  authorize(fields: FormFields): Promise<void>;
  /** Inserts the document or version in the transaction that records the object. */
  insert(tx: Queryable, file: ReceivedFile, fields: FormFields): Promise<void>;
};

const FILE_REQUIRED = 'A file is required';
const FILE_FIELD: FormFileField = {
  name: 'file',
  maxFiles: 1,
  unexpectedMessage: FILE_REQUIRED,
  tooManyMessage: 'Send one file at a time',
  maxFieldBytes: 16 * 1024,
};

/**
 * Stores the object, then its record; no failure leaves an unrecorded object. Rejections are sent without reading the
 * rest of the file. Throws `conflict` if the idempotency key was used with a different file or different fields.
 */
async function receiveUpload(
  deps: Deps,
  caller: Caller,
  { exchange: { req, res }, handler }: { exchange: HttpExchange; handler: UploadHandler },
): Promise<RecordedUpload> {
  closeConnectionAfterEarlyResponse(req, res);
  const key = idempotencyKey(req);
  if (!key || !(await isKeyRecorded(deps.db, { caller, key })))
    return storeAndRecord(deps, caller, { req, key, handler });
  const form = await measureFiles(deps, { req, fileField: FILE_FIELD });
  return findFirstResponse<RecordedUpload>(deps.db, { caller, key: withForm(key, form) });
}

type StoreAndRecordParams = { req: Request; key: IdempotencyKey | undefined; handler: UploadHandler };

async function storeAndRecord(
  deps: Deps,
  caller: Caller,
  { req, key, handler }: StoreAndRecordParams,
): Promise<RecordedUpload> {
  const { userId } = caller;
  const { documentId } = handler;
  const recordedUpload = await receiveFormFiles<RecordedUpload>(deps, {
    req,
    userId,
    fileField: FILE_FIELD,
    newObjectKey: () => newObjectKey(documentId),
    async authorize(fields) {
      await handler.authorize(fields);
      return 'store';
    },
    async record({ fields, files: [file] }) {
      if (!file) throw invalidForm(FILE_REQUIRED);
      const formKey = key && withForm(key, { fields, files: [file] });
      const result = await withIdempotencyKey(deps.db, { caller, key: formKey }, async (tx) => {
        const objectKey = await recordObjectWithinQuota(tx, { quotas: deps.quotas, userId, file });
        await handler.insert(tx, { ...file, objectKey }, fields);
        await enforceWorkspaceQuota(tx, deps.quotas, file.size);
        return { documentId, objectKey };
      });
      return { result, objectKeys: [result.objectKey] };
    },
  });
  deps.thumbnailQueue.wake();
  deps.textQueue.wake();
  return recordedUpload;
}
