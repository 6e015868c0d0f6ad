import { setTimeout as delay } from 'node:timers/promises';
import type { WriteTracker } from '../simulation/acknowledged-writes.ts';
import { signInWorker } from '../simulation/workers.ts';

/** One short list per service. */
const LIST_PATHS = [
  '/auth/sessions',
  '/users?limit=5',
  '/projects?limit=5',
  '/meetings?limit=5',
  '/documents?limit=5',
  '/chat/conversations?limit=5',
  '/notifications?limit=5',
];
const READ_INTERVAL_MS = 400;
const SIGN_IN_INTERVAL_MS = 5 * 60_000;

/** Starts a user who reads from every service at an even pace. The reads are the latency samples. */
export async function startObserver(base: string, writes: WriteTracker): Promise<{ close(): void }> {
  const closing = new AbortController();
  let reader = await signInWorker(base, 'lena', writes);
  let signedInAt = performance.now();
  const readRepeatedly = async (path: string) => {
    while (!closing.signal.aborted) {
      await reader.read(path);
      await delay(READ_INTERVAL_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const renewSession = async () => {
    while (!closing.signal.aborted) {
      if (performance.now() - signedInAt > SIGN_IN_INTERVAL_MS) {
        reader = await signInWorker(base, 'lena', writes).catch(() => reader);
        signedInAt = performance.now();
      }
      await delay(READ_INTERVAL_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  void Promise.all([renewSession(), ...LIST_PATHS.map(readRepeatedly)]);
  return { close: () => closing.abort() };
}
