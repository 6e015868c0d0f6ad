import { invalidForm } from '@atrium/object-store/uploads/parse-form';
import {
  detectStall,
  disconnectSignal,
  drainStream,
  uploadInterrupted,
} from '@atrium/object-store/uploads/request-stream';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { HttpExchange } from '@atrium/service-kit/http/handle';
import { closeConnectionAfterEarlyResponse } from '@atrium/service-kit/process/http-server';
import type { Request } from 'express';
import type { Deps } from '../deps.ts';
import { partSize, toStoreUpload, touchUpload, type UploadRow } from './upload-repository.ts';

type PutPartParams = { id: string; number: number; exchange: HttpExchange };

/** A crash leaves no incomplete part behind, so any process can receive the part again. */
export async function putPart(
  deps: Deps,
  caller: Caller,
  { id, number, exchange: { req, res } }: PutPartParams,
): Promise<void> {
  closeConnectionAfterEarlyResponse(req, res);
  const upload = await touchUpload(deps.db, caller, id);
  if (!upload) throw notFound('Upload');
  const size = partSize(upload, number);
  if (size === undefined) throw notFound('Upload');
  if (Number(req.get('content-length')) !== size) throw invalidForm('The part has the wrong size');
  // A retry arrived after the upload was completed.
  if (upload.finished_at) return drainStream(req, size);
  deps.store.assertAvailable();
  const isStored = await deps.slots.run(() => storePart(deps, { req, upload, number, size }), {
    userId: caller.userId,
    signal: disconnectSignal(req),
  });
  if (!isStored) throw notFound('Upload');
}

type ReceivedPart = { req: Request; upload: UploadRow; number: number; size: number };

/**
 * Returns false if the store has no such upload. Throws `request_timeout` if the client stalls, `unavailable` if the
 * store fails, and `validation_failed` if the client disconnects.
 */
async function storePart({ store, minimumRate }: Deps, { req, upload, number, size }: ReceivedPart): Promise<boolean> {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const unwatch = detectStall(req, minimumRate, fail);
  const stop = new AbortController();
  const storing = store.parts.put(toStoreUpload(upload), { number, size, body: req, signal: stop.signal });
  try {
    return (await Promise.race([storing, failed])) !== undefined;
  } catch (error) {
    stop.abort();
    await storing.catch(() => undefined);
    throw req.destroyed && !req.complete ? uploadInterrupted(error) : error;
  } finally {
    unwatch();
  }
}
