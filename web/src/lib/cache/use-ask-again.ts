import { useCallback } from 'react';
import { type Cache, useSWRConfig } from 'swr';
import { createRefresher, type Refresher } from '../../realtime/refresher.ts';
import { ApiError, isFinal } from '../api/api-error.ts';
import { AnswerCache } from './answer-cache.ts';

/** `age`: how long ago it was asked for what is there or on its way, in milliseconds. */
export type IsMeant = (key: string, age: number) => boolean;
type Ask = (key: string) => Promise<unknown>;

/** Asks again for what is on the screen and meant; what is not on it is asked for when it is shown again. */
export function useAskAgain() {
  const { mutate, cache } = useSWRConfig();
  return useCallback(
    /** `isAwaited`: somebody waits for it. Resolves then once the answers are there. */
    async (isMeant: IsMeant, { isAwaited = false } = {}): Promise<void> => {
      const refresher = refresherOf(cache, (key) => mutate(key));
      const ageOf = (key: string) => (cache instanceof AnswerCache ? cache.askedAgo(key) : Number.POSITIVE_INFINITY);
      const isShown = (key: string) => !(cache instanceof AnswerCache) || cache.isHeld(key);
      const meant = [...cache.keys()].filter((key) => isMeant(key, ageOf(key)));
      if (cache instanceof AnswerCache) for (const key of meant) cache.age(key);
      const shown = meant.filter(isShown);
      // What nobody shows is asked for by the next that does, even where SWR had it a moment ago.
      for (const key of meant) if (!isShown(key)) void mutate(key);
      if (isAwaited) await refresher.demand(shown);
      else refresher.note(shown);
    },
    [mutate, cache],
  );
}

/** A cache belongs to one person, and so does what is under way for it. */
const refreshers = new WeakMap<Cache, Refresher>();

function refresherOf(cache: Cache, askSwr: Ask): Refresher {
  const known = refreshers.get(cache);
  if (known) return known;
  const made = createRefresher({
    async ask(key) {
      // SWR would throw away the answer to a question that is on its way.
      if (cache instanceof AnswerCache) await cache.settled(key);
      // A cache that is gone with its person asks for nothing.
      await askSwr(key).catch(() => undefined);
      const error: unknown = cache.get(key)?.error;
      const hasFailed = error !== undefined && !isFinal(error);
      return { hasFailed, refusedMs: error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0 };
    },
    isMissed: (key) =>
      cache instanceof AnswerCache && cache.isHeld(key) && cache.ageOf(key) === Number.POSITIVE_INFINITY,
    outdate: (key) => cache instanceof AnswerCache && cache.age(key),
    isLookedAt: () => document.visibilityState !== 'hidden',
    onceLookedAt: (then) => document.addEventListener('visibilitychange', then, { once: true }),
  });
  refreshers.set(cache, made);
  return made;
}
