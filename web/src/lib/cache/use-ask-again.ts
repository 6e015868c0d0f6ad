import { useMemo } from 'react';
import { type Cache, useSWRConfig } from 'swr';
import { createAskAgain } from '../../realtime/ask-again.ts';
import { ApiError, isFinal } from '../api/api-error.ts';

type AskAgain = ReturnType<typeof createAskAgain>;

/** Asks again for what is on the screen and meant; what is not on it is asked for when it is shown again. */
export function useAskAgain(): AskAgain {
  const { mutate, cache } = useSWRConfig();
  return useMemo(() => askAgainOf(cache, (key) => mutate(key)), [mutate, cache]);
}

/** A cache belongs to one person, and so does what is under way for it. */
const known = new WeakMap<Cache, AskAgain>();

function askAgainOf(cache: Cache, askSwr: (key: string) => Promise<unknown>): AskAgain {
  const present = known.get(cache);
  if (present) return present;
  const made = createAskAgain(cache, {
    async ask(key) {
      // A cache that is gone with its person asks for nothing.
      await askSwr(key).catch(() => undefined);
      const error: unknown = cache.get(key)?.error;
      const hasFailed = error !== undefined && !isFinal(error);
      return { hasFailed, refusedMs: error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0 };
    },
    isLookedAt: () => document.visibilityState !== 'hidden',
    onceLookedAt: (then) => document.addEventListener('visibilitychange', then, { once: true }),
  });
  known.set(cache, made);
  return made;
}
