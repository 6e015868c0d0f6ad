import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  beginDocumentUpload,
  cancelDocumentUpload,
  completeDocumentUpload,
  DocumentUpload,
  getDocumentUpload,
} from '@atrium/proto-events/http/document-uploads';
import type { Document } from '@atrium/proto-events/http/documents';
import { requireRoomAmongMany } from '../../../entities/document/upload-limits.ts';
import { call } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { putBytes, upload } from '../../../lib/api/upload.ts';
import { createUserScopedStore } from '../../../lib/session/user-scoped-store.ts';
import { isDeferredByServer, retryUntilOnline } from '../../../lib/uploads/patiently.ts';
import { sendInParts } from '../../../lib/uploads/send-in-parts.ts';
import type { SendOptions } from '../../../lib/uploads/upload-queue.ts';
import type { UploadDetails } from './upload-details.tsx';
import { holdUpload } from './upload-locks.ts';

/** Up to the size of a part, a file goes in one call: beginning anew costs no more than a part would. */
const LARGE_BYTES = 8 * 1024 * 1024;
/** A line that brings no byte for so long is lost; the server gives up a slower one. */
const SILENCE_MS = 30_000;
/** A large file is read once more before it is answered. */
const COMPLETE_MS = 120_000;

type About = { details: UploadDetails } | { document: string };

type Sending = {
  /** Of files in this tab: what the server calls the upload, and how often it had forgotten one. By the key of each. */
  begun: Map<string, { id?: string | undefined; turn: number }>;
  /** Files that were chosen again to go on with an upload of before. */
  chosenAgain: Map<File, string>;
};

const sending = createUserScopedStore<Sending>(() => ({ begun: new Map(), chosenAgain: new Map() }));

/** Whether this tab sends it. */
export const isSentHere = (uploadId: string): boolean =>
  [...sending.get().begun.values()].some(({ id }) => id === uploadId);

/** When that file is sent next, it goes on with what is there of it. */
export const goOnWith = (uploadId: string, file: File): void => void sending.get().chosenAgain.set(file, uploadId);

/** Sends a file to be a document. A large one goes in parts, and waits for a lost network instead of failing. */
export function sendDocument(file: File, options: SendOptions & { details: UploadDetails }): Promise<Document> {
  return send(file, { details: options.details }, options);
}

/** The same for a new version of a document. */
export function sendVersion(file: File, document: string, options: SendOptions): Promise<Document> {
  return send(file, { document }, options);
}

/** Lets go of what has arrived of a file that was taken off the list; what cannot be told now is shown as unfinished later. */
export async function discardSent(key: string): Promise<void> {
  const { begun } = sending.get();
  const id = begun.get(key)?.id;
  begun.delete(key);
  if (id !== undefined) await cancel(id);
}

const cancel = (id: string) =>
  call<typeof cancelDocumentUpload>('DELETE /documents/uploads/:id', { params: { id } }).catch(() => undefined);

async function send(file: File, about: About, options: SendOptions): Promise<Document> {
  if (file.size > LARGE_BYTES) return sendLarge(file, about, options);
  await requireRoomAmongMany(file);
  // Of a folder of many the server puts some off for a moment.
  const send = () => {
    options.onProgress(0);
    return sendWhole(file, about, options);
  };
  return retryUntilOnline(send, { ...options, isRetryable: isDeferredByServer });
}

function sendWhole(file: File, about: About, { idempotencyKey, ...options }: SendOptions): Promise<Document> {
  const form = new FormData();
  // Fields before the file, so that a refusal of theirs comes before its bytes are stored.
  if ('details' in about) {
    form.set('name', file.name);
    for (const [field, value] of Object.entries(about.details)) form.set(field, value);
  }
  form.set('file', file);
  const path = 'details' in about ? '/documents/upload' : `/documents/${about.document}/versions`;
  return upload<Document>(path, form, { ...options, headers: { 'idempotency-key': idempotencyKey } });
}

async function sendLarge(file: File, about: About, options: SendOptions): Promise<Document> {
  const { idempotencyKey: key, signal } = options;
  const { begun, chosenAgain } = sending.get();
  const known = begun.get(key) ?? { turn: 0 };
  begun.set(key, known);
  known.id ??= chosenAgain.get(file);
  chosenAgain.delete(file);
  let letGo: (() => void) | undefined;
  const read = (id: string) =>
    call<typeof getDocumentUpload>('GET /documents/uploads/:id', { params: { id } }, { signal });
  const begin = async (): Promise<DocumentUpload> => {
    if (known.id !== undefined) {
      letGo ??= holdUpload(known.id);
      return read(known.id);
    }
    const headers = { 'idempotency-key': known.turn === 0 ? key : `${key} ${known.turn}` };
    const body = bodyOf(file, about);
    const there = await call<typeof beginDocumentUpload>('POST /documents/uploads', { body }, { headers });
    known.id = there._id;
    letGo ??= holdUpload(there._id);
    // Taken off the list meanwhile.
    if (signal.aborted) await cancel(there._id);
    return there;
  };
  try {
    const document = await sendInParts<Document>(
      file,
      {
        begin,
        read,
        put: (id, number, bytes, more) =>
          putBytes(`/documents/uploads/${id}/parts/${number}`, bytes, { ...more, stallTimeoutMs: SILENCE_MS }),
        complete: (id) =>
          call<typeof completeDocumentUpload>(
            'POST /documents/uploads/:id/complete',
            { params: { id } },
            { signal, timeoutMs: COMPLETE_MS },
          ),
      },
      options,
    );
    begun.delete(key);
    return document;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== 404) throw error;
    // Where the answer to its beginning was lost, that key may name one that has gone.
    begun.set(key, { turn: known.turn + 1 });
    if (known.id === undefined) throw error;
    // Where it is the document that has gone, what has arrived would hold its room for a day.
    await cancel(known.id);
    throw new Error('The upload expired. Upload the file again.');
  } finally {
    letGo?.();
  }
}

function bodyOf(file: File, about: About): CallOf<typeof beginDocumentUpload>['body'] {
  const { name, size, lastModified } = file;
  const facts = { fileName: name, size, lastModified };
  return 'details' in about ? { ...facts, name, ...about.details } : { ...facts, document: about.document };
}
