import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What has passed between two collections at most. */
const EVERY_BYTES = 8 * 1024 * 1024;

let passed = 0;
let collectYoung: ((options: { type: 'minor' }) => void) | undefined;

/**
 * Hears of a chunk of a body that passes and is kept by nobody. Node makes a buffer for each 64 KiB that it reads, and V8 looks for those that
 * are done with only when they are 64 MB together, or by going through everything. Looking at the young ones alone, each time that some
 * megabytes have passed, takes less than a millisecond, keeps a process by so much smaller, and gives it the same memory again, which is near.
 */
export function triggerMinorGc(chunk: { length: number }): void {
  passed += chunk.length;
  if (passed < EVERY_BYTES) return;
  passed = 0;
  collectYoung ??= findCollector();
  collectYoung({ type: 'minor' });
}

/** V8 gives it to contexts that are made while the flag stands. */
function findCollector(): NonNullable<typeof collectYoung> {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc');
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
