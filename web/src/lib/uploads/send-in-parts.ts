import { isTransient, retryWhile, type StallReason } from '../sending/retry-while.ts';

/** The stored parts of a file, numbered from 1. */
export type StoredParts = { _id: string; partBytes: number; parts: readonly number[] };

type Sending = { onProgress: (fraction: number) => void; signal: AbortSignal };

/** Every call must be idempotent. */
export type UploadCalls<Result> = {
  begin: () => Promise<StoredParts>;
  read: (id: string) => Promise<StoredParts>;
  put: (id: string, number: number, bytes: Blob, options: Sending) => Promise<void>;
  complete: (id: string) => Promise<Result>;
};

type Options = Sending & { onStalled: (reason: StallReason | null) => void };

/** Resumes with the missing parts after a network failure. Progress never decreases. */
export async function sendInParts<Result>(
  file: Blob,
  calls: UploadCalls<Result>,
  { onProgress, signal, onStalled }: Options,
): Promise<Result> {
  const retryOptions = { signal, onStalled, isRetryable: isTransient };
  let reportedFraction = 0;
  const show = (bytes: number) => {
    const fraction = Math.min(1, bytes / file.size);
    if (fraction < reportedFraction) return;
    reportedFraction = fraction;
    onProgress(fraction);
  };
  let stored = await retryWhile(calls.begin, retryOptions);
  for (let number = 1; number <= countParts(stored, file.size); number += 1) {
    await retryWhile(async (isRetry) => {
      // The part may be stored although its response was lost.
      if (isRetry) {
        stored = await calls.read(stored._id);
        onStalled(null);
      }
      const storedBytes = countStoredBytes(stored, file.size);
      show(storedBytes);
      if (stored.parts.includes(number)) return;
      const bytes = file.slice((number - 1) * stored.partBytes, number * stored.partBytes);
      const report = (fraction: number) => show(storedBytes + fraction * bytes.size);
      await calls.put(stored._id, number, bytes, { onProgress: report, signal });
      stored = { ...stored, parts: [...stored.parts, number] };
    }, retryOptions);
  }
  show(file.size);
  return retryWhile(() => calls.complete(stored._id), retryOptions);
}

const countParts = ({ partBytes }: StoredParts, size: number) => Math.ceil(size / partBytes);

function countStoredBytes(stored: StoredParts, size: number): number {
  const { parts, partBytes } = stored;
  const last = countParts(stored, size);
  return parts.reduce((sum, number) => sum + (number === last ? size - (last - 1) * partBytes : partBytes), 0);
}
