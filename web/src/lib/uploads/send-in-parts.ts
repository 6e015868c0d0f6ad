import { retryUntilOnline } from './retry-until-online.ts';

/** The stored parts of a file, numbered from 1. */
export type StoredParts = { _id: string; partBytes: number; parts: readonly number[] };

type Sending = { onProgress: (fraction: number) => void; signal: AbortSignal };

/** All are idempotent. */
export type UploadCalls<Result> = {
  begin: () => Promise<StoredParts>;
  read: (id: string) => Promise<StoredParts>;
  put: (id: string, number: number, bytes: Blob, options: Sending) => Promise<void>;
  complete: (id: string) => Promise<Result>;
};

type Options = Sending & { onStalled: (isStalled: boolean) => void };

/** After a network failure it resumes with the missing parts. Progress never decreases. */
export async function sendInParts<Result>(
  file: Blob,
  calls: UploadCalls<Result>,
  { onProgress, signal, onStalled }: Options,
): Promise<Result> {
  const wait = { signal, onStalled };
  let shown = 0;
  const show = (bytes: number) => {
    const fraction = Math.min(1, bytes / file.size);
    if (fraction < shown) return;
    shown = fraction;
    onProgress(fraction);
  };
  let stored = await retryUntilOnline(calls.begin, wait);
  const count = Math.ceil(file.size / stored.partBytes);
  for (let number = 1; number <= count; number += 1) {
    await retryUntilOnline(async (isRetry) => {
      // The part may be stored although its response was lost.
      if (isRetry) {
        stored = await calls.read(stored._id);
        onStalled(false);
      }
      const before = bytesOf(stored, file.size);
      show(before);
      if (stored.parts.includes(number)) return;
      const bytes = file.slice((number - 1) * stored.partBytes, number * stored.partBytes);
      const report = (fraction: number) => show(before + fraction * bytes.size);
      await calls.put(stored._id, number, bytes, { onProgress: report, signal });
      stored = { ...stored, parts: [...stored.parts, number] };
    }, wait);
  }
  show(file.size);
  return retryUntilOnline(() => calls.complete(stored._id), wait);
}

function bytesOf({ parts, partBytes }: StoredParts, size: number): number {
  const last = Math.ceil(size / partBytes);
  return parts.reduce((sum, number) => sum + (number === last ? size - (last - 1) * partBytes : partBytes), 0);
}
