import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from '../simulation/acknowledged-writes.ts';
import { hire } from '../simulation/people.ts';

/** One short list of each service. */
const LOOKS = [
  '/auth/sessions',
  '/users?limit=5',
  '/projects?limit=5',
  '/meetings?limit=5',
  '/documents?limit=5',
  '/chat/conversations?limit=5',
  '/notifications?limit=5',
];
const EVERY_MS = 400;
const RENEW_MS = 5 * 60_000;

/** Somebody who only looks, at every service at an even pace, so that each one's time to answer is known. */
export async function observe(base: string, ledger: Ledger): Promise<{ close(): void }> {
  const closing = new AbortController();
  let looker = await hire(base, 'lena', ledger);
  let signedInAt = performance.now();
  const look = async (path: string) => {
    while (!closing.signal.aborted) {
      await looker.read(path);
      await pause(EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const renew = async () => {
    while (!closing.signal.aborted) {
      if (performance.now() - signedInAt > RENEW_MS) {
        looker = await hire(base, 'lena', ledger).catch(() => looker);
        signedInAt = performance.now();
      }
      await pause(EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  void Promise.all([renew(), ...LOOKS.map(look)]);
  return { close: () => closing.abort() };
}
