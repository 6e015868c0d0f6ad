import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import type { Request } from 'express';
import { cleanFileName, extensionOf } from '../file-names/file-name.ts';
import { recordObject } from '../objects/object-records.ts';
import type { ObjectRemover } from '../objects/object-remover.ts';
import { assertQuota, getRemainingQuota, lockQuota, type Quotas } from '../objects/quota.ts';
import { type FileProperties, measureFile, type StoredFile, storeFile, tooLarge } from '../objects/store-file.ts';
import type { ObjectStore } from '../s3/object-store.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { type FileParts, type FormFields, receiveForm } from './receive-form.ts';
import { detectStall, type MinimumRate } from './stall-detector.ts';
import type { UploadSlots } from './upload-slots.ts';

/** Dependencies of uploads in a service. */
export type FileIntake = {
  db: Db;
  store: ObjectStore;
  remover: ObjectRemover;
  slots: UploadSlots;
  maxUploadBytes: number;
  quotas: Quotas;
  pace: MinimumRate;
};

/** A stored file: its cleaned original name and its properties. */
export type ReceivedFile = StoredFile & { fileName: string; extension: string };

/** Like `ReceivedFile`, for a file that was read without being stored. */
export type MeasuredFile = Omit<ReceivedFile, 'objectKey'>;

type Received = { fields: FormFields; files: ReceivedFile[] };

export type FormWithFiles<T> = {
  req: Request;
  userId: string;
  parts: FileParts;
  newKey(): string;
  /**
   * Throws if files are not accepted, given the fields before each file, before any of it is stored. With 'compare'
   * the request repeats an earlier one: the file is only measured, and its `objectKey` names no object.
   */
  validate(fields: FormFields): Promise<'store' | 'compare'>;
  /** Records the files, and returns the referenced keys: all other objects of this form are removed. */
  record(received: Received): Promise<{ result: T; objectKeys: readonly string[] }>;
};

export const FORM_BYTES = 1024 * 1024;

/**
 * Receives the files of a form: the objects first, then their records. On any failure, no object remains without a
 * record. Throws `too_large`, `validation_failed`, `request_timeout`, `unavailable`, and what `validate` and `record`
 * throw.
 */
export async function receiveFormFiles<T>(intake: FileIntake, form: FormWithFiles<T>): Promise<T> {
  const { db, quotas, maxUploadBytes, store, slots, remover } = intake;
  const { req, userId, parts } = form;
  const room = await getRemainingQuota(db, { quotas, userId });
  const declared = Number(req.get('content-length') ?? 0) - FORM_BYTES;
  if (declared > maxUploadBytes * parts.max) throw tooLarge(maxUploadBytes);
  assertQuota(room, declared, quotas);
  store.require();
  const startedKeys = new Set<string>();
  let recordedKeys: readonly string[] = [];
  try {
    const checkSize = checkedBy(maxUploadBytes);
    const check = (bytes: number, before: number) => {
      checkSize(bytes);
      assertQuota(room, before + bytes, quotas);
    };
    const receive = () => receiveFiles(intake, form, { startedKeys, check });
    const received = await slots.run(receive, { userId, signal: disconnectSignal(req) });
    await form.validate(received.fields);
    crashPoint('after-upload-before-commit');
    const { result, objectKeys } = await form.record(received);
    recordedKeys = objectKeys;
    crashPoint('after-commit-before-answer');
    return result;
  } finally {
    // All of them on failure; otherwise duplicates, including those of a concurrent repeat.
    for (const key of startedKeys) if (!recordedKeys.includes(key)) await remover.queueRemoval(key);
  }
}

/** `check` receives the size of a file so far, and the total of the files before it. */
type Watch = { startedKeys: Set<string>; check: (bytes: number, before: number) => void };

function receiveFiles<T>(
  { store, pace, maxUploadBytes }: FileIntake,
  { req, parts, newKey, validate }: FormWithFiles<T>,
  { startedKeys, check }: Watch,
): Promise<Received> {
  let before = 0;
  const checkSize = checkedBy(maxUploadBytes);
  return receiveForm<ReceivedFile>(req, {
    parts,
    watch: (fail) => detectStall(req, pace, fail),
    onFile: async (stream, { fileName, fields }) => {
      const mode = await validate(fields);
      const objectKey = newKey();
      if (mode === 'compare') return { objectKey, ...named(fileName, await measureFile(stream, checkSize)) };
      startedKeys.add(objectKey);
      const stored = await storeFile(stream, { store, objectKey, check: (bytes) => check(bytes, before) });
      before += stored.size;
      return named(fileName, stored);
    },
  });
}

/**
 * Reads a form like `receiveFormFiles`, but only measures its files: a repeat is compared with the first request and
 * stores nothing.
 */
export function measureFiles(
  { pace, maxUploadBytes }: Pick<FileIntake, 'pace' | 'maxUploadBytes'>,
  { req, parts }: Pick<FormWithFiles<unknown>, 'req' | 'parts'>,
): Promise<{ fields: FormFields; files: MeasuredFile[] }> {
  return receiveForm(req, {
    parts,
    watch: (fail) => detectStall(req, pace, fail),
    onFile: async (stream, { fileName }) => named(fileName, await measureFile(stream, checkedBy(maxUploadBytes))),
  });
}

const checkedBy = (maxUploadBytes: number) => (bytes: number) => {
  if (bytes > maxUploadBytes) throw tooLarge(maxUploadBytes);
};

function named<File extends FileProperties>(fileName: string | undefined, file: File) {
  const name = cleanFileName(fileName);
  return { ...file, fileName: name, extension: extensionOf(name) };
}

type Recording = { quotas: Quotas; userId: string; file: StoredFile };

/**
 * Records a file in the transaction that references it, and returns the key to reference (`recordObject`). The
 * remaining quota is checked again, as other files may have been recorded since; duplicates need none.
 * `enforceWorkspaceQuota` must end the transaction. Throws `too_large`.
 */
export async function recordWithinQuota(tx: Queryable, { quotas, userId, file }: Recording): Promise<string> {
  const room = await lockQuota(tx, { quotas, userId });
  const key = await recordObject(tx, { ...file, ownerId: userId });
  if (key === file.objectKey) assertQuota(room, file.size, quotas);
  return key;
}
