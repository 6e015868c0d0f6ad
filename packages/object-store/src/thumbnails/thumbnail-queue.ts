import type { WorkerLimits } from '@atrium/file-worker/open-source';
import { WorkerKilled } from '@atrium/file-worker/run-worker';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { type ClaimedObject, claimObject, releaseClaim } from '../objects/claim-object.ts';
import type { ObjectRemover } from '../objects/object-remover.ts';
import type { ObjectStore } from '../s3/object-store.ts';
import { renderThumbnails } from './render-thumbnails.ts';
import { type RenderResult, thumbnailKey } from './rendered-images.ts';
import { markThumbnailFailed, recordThumbnails } from './thumbnail-records.ts';

const POLL_MS = 5_000;
/** An image is skipped after its worker processes crashed this often, because it may crash the whole pod. */
const MAX_UNFINISHED_ATTEMPTS = 3;

export type ThumbnailQueue = {
  start(): void;
  wake(): void;
  close(): Promise<void>;
};

type Deps = { db: Db; store: ObjectStore; remover: ObjectRemover; log: Logger };

/** Renders one image at a time per pod; pods share the queue. */
export function createThumbnailQueue(deps: Deps, limits: Partial<WorkerLimits> = {}): ThumbnailQueue {
  const { db, store, log } = deps;
  const closing = new AbortController();
  let loop: PollingLoop | undefined;
  const round = async () => {
    // Nothing is claimed while the store is unavailable, since attempts would only fail.
    if (closing.signal.aborted || !store.available()) return false;
    const claim = await claimObject(db, 'thumbnails');
    if (claim) await processImage(deps, claim, { signal: closing.signal, limits });
    return claim !== undefined;
  };
  const wake = () => loop?.wake();
  store.onAvailable(wake);
  return {
    wake,
    start() {
      loop ??= startPollingLoop({ name: 'thumbnails', intervalMs: POLL_MS, round, log });
    },
    async close() {
      closing.abort(new Error('Rendering aborted: the service is stopping'));
      await loop?.close();
    },
  };
}

type RenderOptions = { signal: AbortSignal; limits: Partial<WorkerLimits> };

async function processImage(deps: Deps, claim: ClaimedObject, { signal, limits }: RenderOptions): Promise<void> {
  const { db, store, log } = deps;
  const { object_key: objectKey } = claim;
  if (claim.unfinished > MAX_UNFINISHED_ATTEMPTS) {
    log.error({ objectKey }, 'Skipped image after repeated worker crashes');
    return markThumbnailFailed(db, objectKey, 'killed');
  }
  try {
    const result = await renderThumbnails(await store.read(objectKey), signal, limits);
    if ('failed' in result) return await markThumbnailFailed(db, objectKey, result.failed);
    await saveThumbnails(deps, objectKey, result);
  } catch (error) {
    const isFailure = !signal.aborted;
    if (isFailure) log.warn({ err: error, objectKey }, 'Failed to render thumbnails; retrying');
    const wasKilled = error instanceof WorkerKilled;
    await releaseClaim(db, 'thumbnails', { objectKey, isFailure, wasKilled });
  }
}

/** Stores the objects, then their records. The sweep removes leftovers, and a retry uses the same keys. */
async function saveThumbnails(
  { db, store, remover }: Deps,
  objectKey: string,
  images: Exclude<RenderResult, { failed: unknown }>,
) {
  const smallKey = thumbnailKey(objectKey, 'small');
  const largeKey = thumbnailKey(objectKey, 'large');
  await store.put(smallKey, singleChunk(images.small.bytes));
  await store.put(largeKey, singleChunk(images.large.bytes));
  const outcome = await db.transaction((tx) => recordThumbnails(tx, objectKey, images));
  if (outcome === 'deleted') for (const key of [smallKey, largeKey]) await remover.queueRemoval(key);
}

async function* singleChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
