import { WorkerKilled } from '@atrium/file-worker/run-worker';
import type { ObjectStore } from '@atrium/object-store/s3/object-store';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { DEFAULT_LIMITS, type Extraction } from '../extraction/extraction.ts';
import { kindOf } from '../extraction/file-kind.ts';
import type { TextExtractor } from '../extraction/text-extractor.ts';
import { prepareText } from './prepare-text.ts';
import type { TextMetrics } from './text-metrics.ts';
import { type ClaimedText, claimText, markTextUnavailable, releaseTextClaim, saveText } from './text-repository.ts';

const POLL_MS = 5_000;
/** A file whose readers never answered so often, as it takes them or the whole pod along, is left alone. */
const MOST_UNFINISHED = 3;

/** Reads the text of what was uploaded, so that it can be searched. */
export type TextWorker = {
  start(): void;
  /** Looks for work now. */
  wake(): void;
  /** Ends what is being read, which another pod reads then. */
  close(): Promise<void>;
};

type Deps = { db: Db; store: ObjectStore; extractor: TextExtractor; metrics: TextMetrics; log: Logger };

/** One file at a time for each pod; pods share what there is to do. */
export function createTextWorker(deps: Deps): TextWorker {
  const { db, store, extractor, log } = deps;
  let loop: PollingLoop | undefined;
  let isClosing = false;
  const round = async () => {
    // While the store is away nothing is claimed: nothing would have to wait longer than that takes.
    if (isClosing || !store.available()) return false;
    const claimed = await claimText(db);
    if (claimed) await readClaimed(deps, claimed, () => isClosing);
    return claimed !== undefined;
  };
  const wake = () => loop?.wake();
  store.onReturn(wake);
  return {
    wake,
    start() {
      loop ??= startPollingLoop({ what: 'the texts of files', everyMs: POLL_MS, round, log });
    },
    async close() {
      isClosing = true;
      extractor.close();
      await loop?.close();
    },
  };
}

async function readClaimed(deps: Deps, claimed: ClaimedText, isClosing: () => boolean): Promise<void> {
  const { db, metrics, log } = deps;
  const { object_key: objectKey } = claimed;
  let extraction: Extraction;
  try {
    if (claimed.unfinished > MOST_UNFINISHED) {
      log.error({ objectKey }, 'the text of a file is given up: whoever began to read it did not live to tell');
      metrics.count('failed');
      return await markTextUnavailable(db, objectKey, { state: 'failed', reason: 'killed' });
    }
    extraction = await extract(deps, claimed);
  } catch (error) {
    const isAtFault = !isClosing();
    if (isAtFault) log.warn({ err: error, objectKey }, 'the text of a file could not be read, and is tried again');
    metrics.count('retried');
    return releaseTextClaim(db, objectKey, { isAtFault, wasKilled: error instanceof WorkerKilled });
  }
  crashPoint('after-reading-before-note');
  await settle(deps, objectKey, extraction);
}

async function extract({ store, extractor }: Deps, { object_key, mimetype, size }: ClaimedText): Promise<Extraction> {
  // What is not read need not be fetched.
  if (!kindOf(mimetype)) return { state: 'unsupported' };
  if (size > DEFAULT_LIMITS.fileBytes) return { state: 'failed', why: 'too-long' };
  return extractor.extract(await store.read(object_key), { type: mimetype });
}

async function settle({ db, metrics }: Deps, objectKey: string, extraction: Extraction): Promise<void> {
  switch (extraction.state) {
    case 'text': {
      const prepared = await prepareText(extraction.text);
      await saveText(db, objectKey, { ...prepared, isCut: extraction.cut || prepared.isCut });
      return metrics.count('done');
    }
    case 'failed':
      await markTextUnavailable(db, objectKey, { state: 'failed', reason: extraction.why });
      return metrics.count('failed');
    default:
      await markTextUnavailable(db, objectKey, { state: 'none', reason: extraction.state });
      return metrics.count('none');
  }
}
