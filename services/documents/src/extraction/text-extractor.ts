import { openSource, type Source } from '@atrium/file-worker/open-source';
import { createSemaphore } from '@atrium/file-worker/semaphore';
import { DEFAULT_LIMITS, type Extraction, type Limits } from './extraction.ts';
import { kindOf } from './file-kind.ts';
import { runWorker } from './run-worker.ts';

/** Reads text out of files that nobody has to trust. */
export type TextExtractor = {
  /**
   * Answers for any bytes, within the limits. `type` is the media type that was found from the bytes. A stream that is given is read or
   * destroyed in any case. Rejects where nothing is known of the file: when the source fails or brings it too slowly, when `signal`
   * aborts or the extractor is closed, and when no worker can be started or it is ended from outside; all of these may be tried again.
   */
  extract(source: Source, given: { type: string; signal?: AbortSignal }): Promise<Extraction>;
  /** Ends all workers, and refuses what waits. */
  close(): void;
};

export type ExtractorOptions = {
  /** How many files are read at once; the others wait. Each may hold `memoryBytes` beside the service's own. */
  atOnce: number;
  limits?: Partial<Limits>;
};

/** Each file is read by a process of its own, which has no environment, no network to speak of and the lowest priority. */
export function createTextExtractor({ atOnce, limits: given }: ExtractorOptions): TextExtractor {
  const limits: Limits = { ...DEFAULT_LIMITS, ...given };
  const turns = createSemaphore(atOnce);
  const closing = new AbortController();

  return {
    async extract(source, { type, signal }) {
      const stop = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
      const kind = kindOf(type);
      try {
        if (!kind) return { state: 'unsupported' };
        return await turns.take(stop, async () => {
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
      closing.abort(new Error('No more text is extracted: the service ends'));
    },
  };
}
