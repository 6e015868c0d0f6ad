import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  beginDocumentUpload,
  cancelDocumentUpload,
  completeDocumentUpload,
  DocumentUpload,
  getDocumentUpload,
} from '@atrium/proto-events/http/document-uploads';
import type { Document } from '@atrium/proto-events/http/documents';
import { assertNextFileFits } from '#entities/document/upload-limits.ts';
import { call } from '#lib/api/api.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { putBytes, upload } from '#lib/api/upload.ts';
import { isDeferredByServer, retryWhile } from '#lib/sending/retry-while.ts';
import type { SendOptions } from '#lib/sending/send-queue.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { sendInParts } from '#lib/uploads/send-in-parts.ts';
import type { UploadDetails } from './upload-details.tsx';
import { lockUpload } from './upload-locks.ts';

/** Larger files are sent in parts. Up to the size of a part, resending the whole form costs no more than a part. */
const MAX_FORM_UPLOAD_BYTES = 8 * 1024 * 1024;
/** A connection without progress for this long is lost; the server aborts slower ones. */
const STALL_TIMEOUT_MS = 30_000;
/**
 * Longer than the gateway waits for a response (30 s by default): a completion that takes longer is retried, and joins the
 * run in progress on the same pod.
 */
const COMPLETE_TIMEOUT_MS = 120_000;

type UploadTarget = { details: UploadDetails } | { document: string };

type ActiveUploads = {
  /** By idempotency key: the id of the upload in parts, and how often it was not found on the server. */
  startedUploads: Map<string, { id?: string | undefined; restarts: number }>;
  /** Files selected again to resume an unfinished upload. */
  reselectedFiles: Map<File, string>;
};

const activeUploads = createUserScopedStore<ActiveUploads>(() => ({
  startedUploads: new Map(),
  reselectedFiles: new Map(),
}));

/** Whether this tab is sending the upload. */
export const isUploadingInThisTab = (uploadId: string): boolean =>
  [...activeUploads.get().startedUploads.values()].some(({ id }) => id === uploadId);

export const resumeUpload = (uploadId: string, file: File): void =>
  void activeUploads.get().reselectedFiles.set(file, uploadId);

/** Uploads a file as a document. Large files are sent in parts, and resume after a lost connection. */
export function sendDocument(file: File, options: SendOptions & { details: UploadDetails }): Promise<Document> {
  return send(file, { details: options.details }, options);
}

export function sendVersion(file: File, document: string, options: SendOptions): Promise<Document> {
  return send(file, { document }, options);
}

/** Deletes the uploaded parts of a removed file; if that fails, it is listed as unfinished later. */
export async function discardUpload(key: string): Promise<void> {
  const { startedUploads } = activeUploads.get();
  const id = startedUploads.get(key)?.id;
  startedUploads.delete(key);
  if (id !== undefined) await cancel(id);
}

const cancel = (id: string) =>
  call<typeof cancelDocumentUpload>('DELETE /documents/uploads/:id', { params: { id } }).catch(() => undefined);

async function send(file: File, target: UploadTarget, options: SendOptions): Promise<Document> {
  const { startedUploads, reselectedFiles } = activeUploads.get();
  const isStartedInParts = reselectedFiles.has(file) || startedUploads.has(options.idempotencyKey);
  if (file.size > MAX_FORM_UPLOAD_BYTES || isStartedInParts) return sendFileInParts(file, target, options);
  await assertNextFileFits(file);
  // The server may briefly throttle the files of a large folder.
  const attempt = () => {
    options.onProgress(0);
    return sendForm(file, target, options);
  };
  return retryWhile(attempt, { ...options, isRetryable: isDeferredByServer });
}

function sendForm(file: File, target: UploadTarget, { idempotencyKey, ...options }: SendOptions): Promise<Document> {
  const form = new FormData();
  // Fields precede the file, so that invalid ones are rejected before any bytes are stored.
  if ('details' in target) {
    form.set('name', file.name);
    for (const [field, value] of Object.entries(target.details)) form.set(field, value);
  }
  form.set('file', file);
  const path = 'details' in target ? '/documents/upload' : `/documents/${target.document}/versions`;
  return upload<Document>(path, form, { ...options, headers: { 'idempotency-key': idempotencyKey } });
}

async function sendFileInParts(file: File, target: UploadTarget, options: SendOptions): Promise<Document> {
  const { idempotencyKey: key, signal } = options;
  const { startedUploads, reselectedFiles } = activeUploads.get();
  const current = startedUploads.get(key) ?? { restarts: 0 };
  startedUploads.set(key, current);
  current.id ??= reselectedFiles.get(file);
  reselectedFiles.delete(file);
  let releaseLock: (() => void) | undefined;
  const read = (id: string) =>
    call<typeof getDocumentUpload>('GET /documents/uploads/:id', { params: { id } }, { signal });
  const begin = async (): Promise<DocumentUpload> => {
    if (current.id !== undefined) {
      releaseLock ??= lockUpload(current.id);
      return read(current.id);
    }
    const headers = { 'idempotency-key': current.restarts === 0 ? key : `${key} ${current.restarts}` };
    const body = toBody(file, target);
    const created = await call<typeof beginDocumentUpload>('POST /documents/uploads', { body }, { headers });
    current.id = created._id;
    releaseLock ??= lockUpload(created._id);
    // The user removed the file from the list in the meantime.
    if (signal.aborted) await cancel(created._id);
    return created;
  };
  try {
    const document = await sendInParts<Document>(
      file,
      {
        begin,
        read,
        put: (id, number, bytes, partOptions) =>
          putBytes(`/documents/uploads/${id}/parts/${number}`, bytes, {
            ...partOptions,
            stallTimeoutMs: STALL_TIMEOUT_MS,
          }),
        complete: (id) =>
          call<typeof completeDocumentUpload>(
            'POST /documents/uploads/:id/complete',
            { params: { id } },
            { signal, timeoutMs: COMPLETE_TIMEOUT_MS },
          ),
      },
      options,
    );
    startedUploads.delete(key);
    return document;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // If the response to its creation was lost, the key may refer to an upload that no longer exists.
    startedUploads.set(key, { restarts: current.restarts + 1 });
    if (current.id === undefined) throw error;
    const existing = await read(current.id).catch(() => undefined);
    // If the document was deleted, the uploaded parts would count against the quota for another day.
    await cancel(current.id);
    throw existing ? error : new Error('The upload expired. Upload the file again.');
  } finally {
    releaseLock?.();
  }
}

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

function toBody(file: File, target: UploadTarget): CallOf<typeof beginDocumentUpload>['body'] {
  const { name, size, lastModified } = file;
  const fileFields = { fileName: name, size, lastModified };
  return 'details' in target
    ? { ...fileFields, name, ...target.details }
    : { ...fileFields, document: target.document };
}
