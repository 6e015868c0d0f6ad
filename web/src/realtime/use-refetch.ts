import { useMemo } from 'react';
import { type Cache, useSWRConfig } from 'swr';
import type { ScopedMutator } from 'swr/_internal';
import { read } from '../lib/api/api.ts';
import { QueryCache } from '../lib/query/query-cache.ts';
import { createAskAgain } from './refetch.ts';
import { outcomeOf } from './refetch-scheduler.ts';
import { itemsOf } from './stale-queries.ts';

type AskAgain = ReturnType<typeof createAskAgain>;

/** Asks again for what is on the screen and meant; what is not on it is asked for when it is shown again. */
export function useRefetch(): AskAgain {
  const { mutate, cache } = useSWRConfig();
  return useMemo(() => askAgainOf(cache, mutate), [mutate, cache]);
}

/** A cache belongs to one person, and so does what is under way for it. */
const known = new WeakMap<Cache, AskAgain>();

function askAgainOf(cache: Cache, mutate: ScopedMutator): AskAgain {
  const present = known.get(cache);
  if (present) return present;
  const made = createAskAgain(cache, {
    async ask(key) {
      // A cache that is gone with its person asks for nothing.
      await mutate(key).catch(() => undefined);
      return outcomeOf(cache.get(key)?.error);
    },
    async readItems(path, key) {
      // Left meanwhile, perhaps with its person: the next that shows it asks for all of it.
      if (cache instanceof QueryCache && !cache.isObserved(key)) return { items: null, ...outcomeOf(undefined) };
      try {
        return { items: itemsOf(await read(path)), ...outcomeOf(undefined) };
      } catch (error) {
        return { items: null, ...outcomeOf(error) };
      }
    },
    show: (key, answer) => void mutate(key, answer, { revalidate: false }),
    isLookedAt: () => document.visibilityState !== 'hidden',
    onceLookedAt: (then) => document.addEventListener('visibilitychange', then, { once: true }),
  });
  known.set(cache, made);
  return made;
}
