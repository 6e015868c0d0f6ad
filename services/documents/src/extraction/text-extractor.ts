import { openSource, type Source } from '@atrium/file-worker/open-source';
import { createSemaphore } from '@atrium/file-worker/semaphore';
import { DEFAULT_LIMITS, type Extraction, type Limits } from './extraction.ts';
import { kindOf } from './file-kind.ts';
import { runWorker } from './run-worker.ts';

/** Extracts text from untrusted files. */
export type TextExtractor = {
  /**
   * Extracts the text of any file within the limits. `type` is the media type detected from its bytes. Always consumes or destroys a
   * stream. Rejects if nothing is known about the file: if the source fails or stalls, on abort or close, or if the worker could not be
   * started or was killed. All of these can be retried.
   */
  extract(source: Source, given: { type: string; signal?: AbortSignal }): Promise<Extraction>;
  /** Ends all workers and rejects queued calls. */
  close(): void;
};

export type ExtractorOptions = {
  /** Files read concurrently; others are queued. Each may use `memoryBytes` in addition to the service. */
  concurrency: number;
  limits?: Partial<Limits>;
};

/** Each file is read by a separate process without environment or network, at the lowest priority. */
export function createTextExtractor({ concurrency, limits: given }: ExtractorOptions): TextExtractor {
  const limits: Limits = { ...DEFAULT_LIMITS, ...given };
  const semaphore = createSemaphore(concurrency);
  const closing = new AbortController();

  return {
    async extract(source, { type, signal }) {
      const stop = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
      const kind = kindOf(type);
      try {
        if (!kind) return { state: 'unsupported' };
        return await semaphore.run(stop, async () => {
          await using file = await openSource(source, limits, stop);
          if (file.bytes === 0) return { state: 'empty' };
          if (file.bytes > limits.fileBytes) return { state: 'failed', why: 'too-long' };
          return runWorker({ kind, file, limits, signal: stop });
        });
      } finally {
        if (typeof source !== 'string') source.destroy();
      }
    },
    close() {
      closing.abort(new Error('Text extraction stopped: the service is shutting down'));
    },
  };
}
