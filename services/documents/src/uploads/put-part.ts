import { disconnectSignal, interrupted } from '@atrium/object-store/uploads/disconnect-signal';
import { readToEnd } from '@atrium/object-store/uploads/drain-stream';
import { invalid } from '@atrium/object-store/uploads/receive-form';
import { detectStall } from '@atrium/object-store/uploads/stall-detector';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { cutAfterAnswer } from '@atrium/service-kit/http/close-early-response';
import type { HttpContext } from '@atrium/service-kit/http/handle';
import type { Request } from 'express';
import type { Deps } from '../deps.ts';
import { bytesOfPart, storedAs } from './upload-parts.ts';
import { touchUpload, type UploadRow } from './upload-repository.ts';

type Given = { id: string; number: number; exchange: HttpContext };

/** Passes a part on to the store as it comes: a process that dies with it leaves nothing, and any other takes it anew. */
export async function putPart(
  deps: Deps,
  caller: Caller,
  { id, number, exchange: { req, res } }: Given,
): Promise<void> {
  cutAfterAnswer(req, res);
  const upload = await touchUpload(deps.db, caller, id);
  const size = upload && bytesOfPart(upload, number);
  if (size === undefined) throw notFound('Upload');
  if (Number(req.get('content-length')) !== size) throw invalid('The part has another length than it must have');
  // A repeat that was long on its way.
  if (upload?.finished_at) return readToEnd(req, size);
  deps.store.require();
  const isKnown = await deps.slots.run(() => passOn(deps, { req, upload: upload as UploadRow, number, size }), {
    userId: caller.userId,
    signal: disconnectSignal(req),
  });
  if (!isKnown) throw notFound('Upload');
}

type Part = { req: Request; upload: UploadRow; number: number; size: number };

/** Throws `request_timeout` where it comes too slowly, `unavailable`, and `validation_failed` where it breaks off. */
async function passOn({ store, pace, meters }: Deps, { req, upload, number, size }: Part): Promise<boolean> {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const unwatch = detectStall(req, pace, fail);
  const stop = new AbortController();
  const part = meters.follow(upload.id, number);
  const sending = store.parts.put(storedAs(upload), {
    number,
    size,
    body: req,
    signal: stop.signal,
    watch: part?.add,
  });
  try {
    const etag = await Promise.race([sending, failed]);
    if (etag !== undefined) part?.keep(etag);
    return etag !== undefined;
  } catch (error) {
    stop.abort();
    await sending.catch(() => undefined);
    throw req.destroyed && !req.complete ? interrupted(error) : error;
  } finally {
    unwatch();
  }
}
