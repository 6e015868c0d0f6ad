import type { QueryCache } from '#lib/query/query-cache.ts';
import type { GetRefetchTarget } from './refetch.ts';

const POLL_INTERVAL_MS = 30_000;

export type UnsubscribedPolling = {
  setKeys(keys: readonly string[]): void;
  stop(): void;
};

type PollUnsubscribedParams = {
  cache: Pick<QueryCache, 'invalidate' | 'isObserved'>;
  refetch: (getTarget: GetRefetchTarget) => void;
};

/** Polls observed queries, and refetches them once when they are subscribed again. */
export function pollUnsubscribed({ cache, refetch }: PollUnsubscribedParams): UnsubscribedPolling {
  let unsubscribed: ReadonlySet<string> = new Set();
  let timer: ReturnType<typeof setInterval> | undefined;
  const startPolling = () => {
    timer ??= setInterval(
      () => refetch((key, age) => unsubscribed.has(key) && age >= POLL_INTERVAL_MS),
      POLL_INTERVAL_MS,
    );
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    setKeys(keys) {
      for (const key of keys) if (!cache.isObserved(key)) cache.invalidate(key);
      const previous = unsubscribed;
      unsubscribed = new Set(keys.filter((key) => cache.isObserved(key)));
      const isSubscribedAgain = (key: string) => previous.has(key) && !unsubscribed.has(key) && cache.isObserved(key);
      if ([...previous].some(isSubscribedAgain)) refetch(isSubscribedAgain);
      if (unsubscribed.size > 0) startPolling();
      else stop();
    },
    stop,
  };
}
