import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import type { Request } from 'express';
import { cleanFileName, extensionOf } from '../file-names/file-name.ts';
import { recordObject } from '../objects/object-records.ts';
import type { ObjectRemover } from '../objects/object-remover.ts';
import { assertQuota, getRemainingQuota, lockQuota, type Quotas } from '../objects/quota.ts';
import { type FileProperties, measureFile, type StoredFile, storeFile, tooLarge } from '../objects/store-file.ts';
import type { ObjectStore } from '../s3/object-store.ts';
import { type FormFields, type FormFileField, parseForm } from './parse-form.ts';
import { detectStall, disconnectSignal, type MinimumRate } from './request-stream.ts';
import type { UploadSlots } from './upload-slots.ts';

/** Dependencies of a service that receives uploads. */
export type UploadDeps = {
  db: Db;
  store: ObjectStore;
  remover: ObjectRemover;
  slots: UploadSlots;
  maxUploadBytes: number;
  quotas: Quotas;
  minimumRate: MinimumRate;
};

export type ReceivedFile = StoredFile & { fileName: string; extension: string };

type MeasuredFile = Omit<ReceivedFile, 'objectKey'>;

type ReceivedForm = { fields: FormFields; files: ReceivedFile[] };

type FormWithFiles<T> = {
  req: Request;
  userId: string;
  fileField: FormFileField;
  newObjectKey(): string;
  /**
   * Throws if the caller may not store the files. Called with the preceding fields before each file is stored, and
   * with all fields at the end. Returns 'compare' for a retry: then, the file is only measured, and there is no object
   * at its `objectKey`.
   */
  authorize(fields: FormFields): Promise<'store' | 'compare'>;
  /** Records the files, and returns the referenced keys: all other objects of this form are removed. */
  record(form: ReceivedForm): Promise<{ result: T; objectKeys: readonly string[] }>;
};

/** Maximum size of a form without its files: fields, headers, and boundaries. */
const MAX_FORM_OVERHEAD_BYTES = 1024 * 1024;

/**
 * Stores the objects, then their records; on any failure, no object remains without a record. Throws `too_large`,
 * `validation_failed`, `request_timeout`, `unavailable`, and the errors of `authorize` and `record`.
 */
export async function receiveFormFiles<T>(deps: UploadDeps, form: FormWithFiles<T>): Promise<T> {
  const { db, quotas, maxUploadBytes, store, slots, remover } = deps;
  const { req, userId, fileField } = form;
  const remaining = await getRemainingQuota(db, { quotas, userId });
  const declaredBytes = Number(req.get('content-length') ?? 0) - MAX_FORM_OVERHEAD_BYTES;
  if (declaredBytes > maxUploadBytes * fileField.maxFiles) throw tooLarge(maxUploadBytes);
  assertQuota(remaining, declaredBytes, quotas);
  store.assertAvailable();
  const startedKeys = new Set<string>();
  let recordedKeys: readonly string[] = [];
  try {
    const checkTotal = (bytes: number) => assertQuota(remaining, bytes, quotas);
    const receive = () => storeFormFiles(deps, form, { startedKeys, checkTotal });
    const received = await slots.run(receive, { userId, signal: disconnectSignal(req) });
    await form.authorize(received.fields);
    crashPoint('after-upload-before-commit');
    const { result, objectKeys } = await form.record(received);
    recordedKeys = objectKeys;
    crashPoint('after-commit-before-response');
    return result;
  } finally {
    // Removes all objects on failure, and otherwise duplicates, including those of a concurrent retry.
    for (const key of startedKeys) if (!recordedKeys.includes(key)) await remover.queueRemoval(key);
  }
}

type StoreFormFilesParams = { startedKeys: Set<string>; checkTotal: (bytes: number) => void };

function storeFormFiles<T>(
  { store, minimumRate, maxUploadBytes }: UploadDeps,
  { req, fileField, newObjectKey, authorize }: FormWithFiles<T>,
  { startedKeys, checkTotal }: StoreFormFilesParams,
): Promise<ReceivedForm> {
  let storedBytes = 0;
  const checkSize = createSizeCheck(maxUploadBytes);
  return parseForm<ReceivedFile>(req, {
    fileField,
    watch: (fail) => detectStall(req, minimumRate, fail),
    onFile: async (stream, { fileName, fields }) => {
      const mode = await authorize(fields);
      const objectKey = newObjectKey();
      if (mode === 'compare') return { objectKey, ...withFileName(fileName, await measureFile(stream, checkSize)) };
      startedKeys.add(objectKey);
      const check = (bytes: number) => {
        checkSize(bytes);
        checkTotal(storedBytes + bytes);
      };
      const stored = await storeFile(stream, { store, objectKey, check });
      storedBytes += stored.size;
      return withFileName(fileName, stored);
    },
  });
}

/** Reads the form of a retry: its files are measured for comparison with the first request, but not stored. */
export function measureFiles(
  { minimumRate, maxUploadBytes }: Pick<UploadDeps, 'minimumRate' | 'maxUploadBytes'>,
  { req, fileField }: Pick<FormWithFiles<unknown>, 'req' | 'fileField'>,
): Promise<{ fields: FormFields; files: MeasuredFile[] }> {
  return parseForm(req, {
    fileField,
    watch: (fail) => detectStall(req, minimumRate, fail),
    onFile: async (stream, { fileName }) =>
      withFileName(fileName, await measureFile(stream, createSizeCheck(maxUploadBytes))),
  });
}

const createSizeCheck = (maxUploadBytes: number) => (bytes: number) => {
  if (bytes > maxUploadBytes) throw tooLarge(maxUploadBytes);
};

function withFileName<File extends FileProperties>(fileName: string | undefined, file: File) {
  const name = cleanFileName(fileName);
  return { ...file, fileName: name, extension: extensionOf(name) };
}

type RecordParams = { quotas: Quotas; userId: string; file: StoredFile };

/**
 * Returns the key to reference (`recordObject`). Checks the remaining quota again, because other files may have been
 * recorded since; duplicates do not count. `enforceWorkspaceQuota` must end the transaction. Throws `too_large`.
 */
export async function recordObjectWithinQuota(tx: Queryable, { quotas, userId, file }: RecordParams): Promise<string> {
  const remaining = await lockQuota(tx, { quotas, userId });
  const key = await recordObject(tx, { ...file, ownerId: userId });
  if (key === file.objectKey) assertQuota(remaining, file.size, quotas);
  return key;
}
