import type { WorkerLimits } from '@atrium/file-worker/limits';
import { WorkerKilled } from '@atrium/file-worker/run-worker';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { ObjectRemover } from '../objects/object-remover.ts';
import type { ObjectStore } from '../s3/object-store.ts';
import {
  type ClaimedImage,
  claimImage,
  markThumbnailFailed,
  recordPictures,
  releaseImageClaim,
} from './picture-records.ts';
import { pictureKey, type RenderResult } from './pictures.ts';
import { renderThumbnails } from './render-thumbnails.ts';

const POLL_MS = 5_000;
/** An image whose workers never answered so often, as it takes them or the whole pod along, is left alone. */
const MAX_UNFINISHED_ATTEMPTS = 3;

/** Makes the pictures of images that were uploaded. */
export type ThumbnailWorker = {
  start(): void;
  /** Looks for work now. */
  wake(): void;
  /** Ends what is being drawn, which another pod draws then. */
  close(): Promise<void>;
};

type Deps = { db: Db; store: ObjectStore; remover: ObjectRemover; log: Logger };

/** One image at a time for each pod; pods share what there is to do. The database has a table `thumbnails` beside its `objects`. */
export function createThumbnailWorker(deps: Deps, limits: Partial<WorkerLimits> = {}): ThumbnailWorker {
  const { db, store, log } = deps;
  const closing = new AbortController();
  let loop: PollingLoop | undefined;
  const round = async () => {
    // While the store is away nothing is claimed: nothing would have to wait longer than that takes.
    if (closing.signal.aborted || !store.available()) return false;
    const claimed = await claimImage(db);
    if (claimed) await makePictures(deps, claimed, { signal: closing.signal, limits });
    return claimed !== undefined;
  };
  const wake = () => loop?.wake();
  store.onAvailable(wake);
  return {
    wake,
    start() {
      loop ??= startPollingLoop({ what: 'the pictures of images', intervalMs: POLL_MS, round, log });
    },
    async close() {
      closing.abort(new Error('No more pictures are made: the service ends'));
      await loop?.close();
    },
  };
}

type Making = { signal: AbortSignal; limits: Partial<WorkerLimits> };

async function makePictures(deps: Deps, claimed: ClaimedImage, { signal, limits }: Making): Promise<void> {
  const { db, store, log } = deps;
  const { object_key: objectKey } = claimed;
  if (claimed.unfinished > MAX_UNFINISHED_ATTEMPTS) {
    log.error({ objectKey }, 'an image is given up: whoever began to draw it did not live to tell');
    return markThumbnailFailed(db, objectKey, 'killed');
  }
  try {
    const drawn = await renderThumbnails(await store.read(objectKey), signal, limits);
    if ('failed' in drawn) return await markThumbnailFailed(db, objectKey, drawn.failed);
    await saveThumbnails(deps, objectKey, drawn);
  } catch (error) {
    const countsAsFailure = !signal.aborted;
    if (countsAsFailure) log.warn({ err: error, objectKey }, 'an image could not be drawn, and is tried again');
    await releaseImageClaim(db, objectKey, { countsAsFailure, wasKilled: error instanceof WorkerKilled });
  }
}

/** The objects first, then their records; what is left between goes with the sweep, and what is tried again has the same keys. */
async function saveThumbnails(
  { db, store, remover }: Deps,
  objectKey: string,
  drawn: Exclude<RenderResult, { failed: unknown }>,
) {
  const keys = [pictureKey(objectKey, 'thumbnail'), pictureKey(objectKey, 'preview')];
  await store.put(keys[0] ?? '', chunk(drawn.thumbnail.bytes));
  await store.put(keys[1] ?? '', chunk(drawn.preview.bytes));
  const outcome = await db.transaction((tx) => recordPictures(tx, objectKey, drawn));
  if (outcome === 'gone') for (const key of keys) await remover.queueRemoval(key);
}

async function* chunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
