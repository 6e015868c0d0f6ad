import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { AnswerCache } from './answer-cache.ts';

/** `age`: how long ago the answer came, in milliseconds. */
export type IsMeant = (key: string, age: number) => boolean;

/** Asks again for what is on the screen and meant; what is not on it is asked for when it is shown again. */
export function useAskAgain(): (isMeant: IsMeant) => Promise<void> {
  const { mutate, cache } = useSWRConfig();
  return useCallback(
    async (isMeant) => {
      const ageOf = (key: string) => (cache instanceof AnswerCache ? cache.ageOf(key) : Number.POSITIVE_INFINITY);
      const meant = new Set([...cache.keys()].filter((key) => isMeant(key, ageOf(key))));
      if (cache instanceof AnswerCache) cache.age((key) => meant.has(key));
      await mutate((key) => typeof key === 'string' && meant.has(key));
    },
    [mutate, cache],
  );
}
