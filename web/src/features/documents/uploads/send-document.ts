import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  beginDocumentUpload,
  cancelDocumentUpload,
  completeDocumentUpload,
  DocumentUpload,
  getDocumentUpload,
} from '@atrium/proto-events/http/document-uploads';
import type { Document } from '@atrium/proto-events/http/documents';
import { assertUploadsFit } from '#entities/document/upload-limits.ts';
import { call } from '#lib/api/api.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { putBytes, upload } from '#lib/api/upload.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { isDeferredByServer, retryUntilOnline } from '#lib/uploads/retry-until-online.ts';
import { sendInParts } from '#lib/uploads/send-in-parts.ts';
import type { SendOptions } from '#lib/uploads/send-queue.ts';
import type { UploadDetails } from './upload-details.tsx';
import { holdUpload } from './upload-locks.ts';

/** Files up to the size of a part are sent in one request: restarting costs no more than a part. */
const MULTIPART_THRESHOLD_BYTES = 8 * 1024 * 1024;
/** A connection without progress for this long is lost; the server aborts slower ones. */
const STALL_TIMEOUT_MS = 30_000;
/** The server reads a large file once more before it responds. */
const COMPLETE_TIMEOUT_MS = 120_000;

type UploadTarget = { details: UploadDetails } | { document: string };

type Sending = {
  /** By idempotency key: the upload id, and how often the server had forgotten it. */
  begun: Map<string, { id?: string | undefined; turn: number }>;
  /** Files selected again to resume an unfinished upload. */
  reselectedFiles: Map<File, string>;
};

const sending = createUserScopedStore<Sending>(() => ({ begun: new Map(), reselectedFiles: new Map() }));

/** Whether this tab is uploading it. */
export const isSentHere = (uploadId: string): boolean =>
  [...sending.get().begun.values()].some(({ id }) => id === uploadId);

export const resumeUpload = (uploadId: string, file: File): void =>
  void sending.get().reselectedFiles.set(file, uploadId);

/** Uploads a file as a document. Large files are sent in parts and wait for a lost connection instead of failing. */
export function sendDocument(file: File, options: SendOptions & { details: UploadDetails }): Promise<Document> {
  return send(file, { details: options.details }, options);
}

export function sendVersion(file: File, document: string, options: SendOptions): Promise<Document> {
  return send(file, { document }, options);
}

/** Deletes the uploaded parts of a removed file; if that fails, it is listed as unfinished later. */
export async function discardSent(key: string): Promise<void> {
  const { begun } = sending.get();
  const id = begun.get(key)?.id;
  begun.delete(key);
  if (id !== undefined) await cancel(id);
}

const cancel = (id: string) =>
  call<typeof cancelDocumentUpload>('DELETE /documents/uploads/:id', { params: { id } }).catch(() => undefined);

async function send(file: File, target: UploadTarget, options: SendOptions): Promise<Document> {
  if (file.size > MULTIPART_THRESHOLD_BYTES) return sendLarge(file, target, options);
  await assertUploadsFit(file);
  // The server may briefly throttle the files of a large folder.
  const send = () => {
    options.onProgress(0);
    return sendWhole(file, target, options);
  };
  return retryUntilOnline(send, { ...options, isRetryable: isDeferredByServer });
}

function sendWhole(file: File, target: UploadTarget, { idempotencyKey, ...options }: SendOptions): Promise<Document> {
  const form = new FormData();
  // Fields before the file, so that they are rejected before bytes are stored.
  if ('details' in target) {
    form.set('name', file.name);
    for (const [field, value] of Object.entries(target.details)) form.set(field, value);
  }
  form.set('file', file);
  const path = 'details' in target ? '/documents/upload' : `/documents/${target.document}/versions`;
  return upload<Document>(path, form, { ...options, headers: { 'idempotency-key': idempotencyKey } });
}

async function sendLarge(file: File, target: UploadTarget, options: SendOptions): Promise<Document> {
  const { idempotencyKey: key, signal } = options;
  const { begun, reselectedFiles } = sending.get();
  const known = begun.get(key) ?? { turn: 0 };
  begun.set(key, known);
  known.id ??= reselectedFiles.get(file);
  reselectedFiles.delete(file);
  let releaseLock: (() => void) | undefined;
  const read = (id: string) =>
    call<typeof getDocumentUpload>('GET /documents/uploads/:id', { params: { id } }, { signal });
  const begin = async (): Promise<DocumentUpload> => {
    if (known.id !== undefined) {
      releaseLock ??= holdUpload(known.id);
      return read(known.id);
    }
    const headers = { 'idempotency-key': known.turn === 0 ? key : `${key} ${known.turn}` };
    const body = bodyOf(file, target);
    const created = await call<typeof beginDocumentUpload>('POST /documents/uploads', { body }, { headers });
    known.id = created._id;
    releaseLock ??= holdUpload(created._id);
    // Removed from the list in the meantime.
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
    begun.delete(key);
    return document;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    // If the response to its creation was lost, the key may refer to an upload that no longer exists.
    begun.set(key, { turn: known.turn + 1 });
    if (known.id === undefined) throw error;
    // If the document is gone, the uploaded parts would use the quota for another day.
    await cancel(known.id);
    throw new Error('The upload expired. Upload the file again.');
  } finally {
    releaseLock?.();
  }
}

function bodyOf(file: File, target: UploadTarget): CallOf<typeof beginDocumentUpload>['body'] {
  const { name, size, lastModified } = file;
  const fileFields = { fileName: name, size, lastModified };
  return 'details' in target
    ? { ...fileFields, name, ...target.details }
    : { ...fileFields, document: target.document };
}
