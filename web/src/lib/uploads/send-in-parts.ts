import { retryUntilOnline } from './patiently.ts';

/** What the server has of a file: which parts, by their numbers from 1. */
export type Parted = { _id: string; partBytes: number; parts: readonly number[] };

type Sending = { onProgress: (fraction: number) => void; signal: AbortSignal };

/** The calls that a file in parts takes. Each may be made again without harm. */
export type PartedCalls<Answer> = {
  /** Begins it, or answers what there is where it was begun before. */
  begin: () => Promise<Parted>;
  read: (id: string) => Promise<Parted>;
  put: (id: string, number: number, bytes: Blob, options: Sending) => Promise<void>;
  complete: (id: string) => Promise<Answer>;
};

type Options = Sending & { onStalled: (isStalled: boolean) => void };

/**
 * Sends a file in parts, one after the other. When the network is lost it waits, and goes on with the part that was lost: what the server has
 * is asked for and not sent again. Progress never goes back. Rejects with what the server refuses for good.
 */
export async function sendInParts<Answer>(
  file: Blob,
  calls: PartedCalls<Answer>,
  { onProgress, signal, onStalled }: Options,
): Promise<Answer> {
  const wait = { signal, onStalled };
  let shown = 0;
  const show = (bytes: number) => {
    const fraction = Math.min(1, bytes / file.size);
    if (fraction < shown) return;
    shown = fraction;
    onProgress(fraction);
  };
  let there = await retryUntilOnline(calls.begin, wait);
  const count = Math.ceil(file.size / there.partBytes);
  for (let number = 1; number <= count; number += 1) {
    await retryUntilOnline(async (again) => {
      // What was sent may have arrived although its answer was lost.
      if (again) {
        there = await calls.read(there._id);
        onStalled(false);
      }
      const before = bytesOf(there, file.size);
      show(before);
      if (there.parts.includes(number)) return;
      const bytes = file.slice((number - 1) * there.partBytes, number * there.partBytes);
      const report = (fraction: number) => show(before + fraction * bytes.size);
      await calls.put(there._id, number, bytes, { onProgress: report, signal });
      there = { ...there, parts: [...there.parts, number] };
    }, wait);
  }
  show(file.size);
  return retryUntilOnline(() => calls.complete(there._id), wait);
}

/** How many bytes of a file are there. */
function bytesOf({ parts, partBytes }: Parted, size: number): number {
  const last = Math.ceil(size / partBytes);
  return parts.reduce((sum, number) => sum + (number === last ? size - (last - 1) * partBytes : partBytes), 0);
}
