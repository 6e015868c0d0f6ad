import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type OpenFile, openSource } from '@atrium/file-worker/open-source';
import { runWorker, type WorkerEnd } from '@atrium/file-worker/run-worker';
import { createSemaphore } from '@atrium/service-kit/process/concurrency';
import {
  DEFAULT_LIMITS,
  EXIT,
  type Extraction,
  type ExtractionFailureReason,
  type FileKind,
  findFileKind,
  type Limits,
} from './extraction.ts';

const WORKER = fileURLToPath(new URL('./worker/main.ts', import.meta.url));

type WorkerTask = { kind: FileKind; file: OpenFile; limits: Limits; signal: AbortSignal };

/** The worker process has exited when this returns. */
async function extractInWorker({ kind, file, limits, signal }: WorkerTask): Promise<Extraction> {
  const program = { path: WORKER, args: [kind, String(limits.characters)] };
  // UTF-8 takes at most three bytes per UTF-16 unit, and NFC at most triples the units.
  return toExtraction(await runWorker({ program, file, limits, maxOutputBytes: 9 * limits.characters, signal }));
}

function toExtraction(end: WorkerEnd): Extraction {
  if (end.by !== 'exit') return failed(end.by === 'unknown' ? 'damaged' : end.by);
  const { code, written } = end;
  switch (code) {
    case EXIT.complete:
    case EXIT.truncated: {
      const text = written.toString();
      return text.trim() === '' ? { state: 'empty' } : { state: 'text', text, isTruncated: code === EXIT.truncated };
    }
    case EXIT.unsupported:
      return { state: 'unsupported' };
    case EXIT.damaged:
      return failed('damaged');
    case EXIT.encrypted:
      return failed('encrypted');
    case EXIT['too-long']:
      return failed('too-long');
    case EXIT.memory:
      return failed('memory');
    default:
      // A bug in the worker, not a property of the file.
      throw new Error(`Text extraction worker exited with code ${code}`);
  }
}

const failed = (reason: ExtractionFailureReason): Extraction => ({ state: 'failed', reason });

export type TextExtractor = {
  /**
   * Always consumes or destroys the source. Rejects only if a retry can succeed: if the source fails or stalls, on
   * close, or if the worker could not be started or was killed.
   */
  extract(source: Readable, options: { type: string }): Promise<Extraction>;
  close(): void;
};

type ExtractorOptions = {
  /** Each worker may use `memoryBytes` in addition to the service. */
  concurrency: number;
  limits?: Partial<Limits>;
};

/** Workers have no environment variables, read access to their own program only, and the lowest priority. */
export function createTextExtractor({ concurrency, limits: limitOverrides }: ExtractorOptions): TextExtractor {
  const limits: Limits = { ...DEFAULT_LIMITS, ...limitOverrides };
  const semaphore = createSemaphore(concurrency);
  const closing = new AbortController();
  const { signal } = closing;

  return {
    async extract(source, { type }) {
      const kind = findFileKind(type);
      try {
        if (!kind) return { state: 'unsupported' };
        return await semaphore.run(async () => {
          await using file = await openSource(source, limits, signal);
          if (file.bytes === 0) return { state: 'empty' };
          if (file.bytes > limits.fileBytes) return { state: 'failed', reason: 'too-long' };
          return extractInWorker({ kind, file, limits, signal });
        }, signal);
      } finally {
        source.destroy();
      }
    },
    close() {
      closing.abort(new Error('Text extraction stopped: the service is shutting down'));
    },
  };
}
