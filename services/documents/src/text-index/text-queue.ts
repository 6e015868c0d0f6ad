import { WorkerKilled } from '@atrium/file-worker/run-worker';
import { type ClaimedObject, claimObject, releaseClaim } from '@atrium/object-store/objects/claim-object';
import type { ObjectStore } from '@atrium/object-store/s3/object-store';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { gaugeAtScrape } from '@atrium/service-kit/observability/metrics';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { Counter, type Registry } from 'prom-client';
import { DEFAULT_LIMITS, type Extraction, findFileKind } from '../extraction/extraction.ts';
import type { TextExtractor } from '../extraction/text-extractor.ts';
import { prepareText } from './prepare-text.ts';
import { countPending, markTextUnavailable, saveText } from './text-repository.ts';

const POLL_MS = 5_000;
/** A file is skipped after its worker processes, or whole pods, crashed this often. */
const MAX_UNFINISHED_ATTEMPTS = 3;

export type TextQueue = {
  start(): void;
  wake(): void;
  /** Aborts the current extraction, which another pod retries. */
  close(): Promise<void>;
};

type Deps = { db: Db; store: ObjectStore; extractor: TextExtractor; metrics: TextMetrics; log: Logger };

/** Extracts the text of one file at a time per pod; pods share the queue. */
export function createTextQueue(deps: Deps): TextQueue {
  const { db, store, extractor, log } = deps;
  let loop: PollingLoop | undefined;
  let isClosing = false;
  const round = async () => {
    // While the store is unavailable, nothing is claimed, so that no retry delay outlasts the outage.
    if (isClosing || !store.available()) return false;
    const claim = await claimObject(db, 'object_texts');
    if (claim) await processClaim(deps, claim, () => isClosing);
    return claim !== undefined;
  };
  const wake = () => loop?.wake();
  store.onAvailable(wake);
  return {
    wake,
    start() {
      loop ??= startPollingLoop({ name: 'text extraction', intervalMs: POLL_MS, round, log });
    },
    async close() {
      isClosing = true;
      extractor.close();
      await loop?.close();
    },
  };
}

async function processClaim(deps: Deps, claim: ClaimedObject, isClosing: () => boolean): Promise<void> {
  const { db, metrics, log } = deps;
  const { object_key: objectKey } = claim;
  let extraction: Extraction;
  try {
    if (claim.unfinished > MAX_UNFINISHED_ATTEMPTS) {
      log.error({ objectKey }, 'Skipped text extraction after repeated worker crashes');
      metrics.count('failed');
      return await markTextUnavailable(db, objectKey, { state: 'failed', reason: 'killed' });
    }
    extraction = await extract(deps, claim);
  } catch (error) {
    const isFailure = !isClosing();
    if (isFailure) log.warn({ err: error, objectKey }, 'Failed to extract text, will retry');
    metrics.count('retried');
    return releaseClaim(db, 'object_texts', { objectKey, isFailure, wasKilled: error instanceof WorkerKilled });
  }
  crashPoint('after-reading-before-note');
  await saveExtraction(deps, objectKey, extraction);
}

async function extract({ store, extractor }: Deps, { object_key, mimetype, size }: ClaimedObject): Promise<Extraction> {
  if (!findFileKind(mimetype)) return { state: 'unsupported' };
  if (size > DEFAULT_LIMITS.fileBytes) return { state: 'failed', reason: 'too-long' };
  return extractor.extract(await store.read(object_key), { type: mimetype });
}

async function saveExtraction({ db, metrics }: Deps, objectKey: string, extraction: Extraction): Promise<void> {
  switch (extraction.state) {
    case 'text': {
      const prepared = await prepareText(extraction.text);
      await saveText(db, objectKey, { ...prepared, isTruncated: extraction.isTruncated || prepared.isTruncated });
      return metrics.count('done');
    }
    case 'failed':
      await markTextUnavailable(db, objectKey, { state: 'failed', reason: extraction.reason });
      return metrics.count('failed');
    default:
      await markTextUnavailable(db, objectKey, { state: 'none', reason: extraction.state });
      return metrics.count('none');
  }
}

const OUTCOMES = ['done', 'none', 'failed', 'retried'] as const;

type TextMetrics = { count(outcome: (typeof OUTCOMES)[number]): void };

export function registerTextMetrics(registry: Registry, db: Queryable): TextMetrics {
  const extractions = new Counter({
    name: 'texts_total',
    help: 'Text extractions by outcome; `retried`: the object store was unavailable or the worker crashed',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) extractions.inc({ outcome }, 0);
  gaugeAtScrape(registry, {
    name: 'texts_pending',
    help: 'Files pending text extraction, at most 10,000; every pod reports the same',
    read: async () => [{ value: await countPending(db) }],
  });
  return { count: (outcome) => extractions.inc({ outcome }) };
}
