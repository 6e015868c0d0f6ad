import type { Cache, SWRConfiguration } from 'swr';
import { isFinal, getRetryAfterMs } from '../api/api-error.ts';
import { jitter } from '../jitter.ts';
import { cacheRetention } from './cache-retention.ts';
import { QueryCache } from './query-cache.ts';

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/**
 * Reads stay fresh for five minutes (`cache-retention.ts`), stay ten minutes unseen, and are retried once (specification, section 9). What
 * cannot be had then is asked for again by `realtime/refresher.ts`, at its pace.
 */
export const swrConfig: SWRConfiguration & { provider: () => Cache } = {
  // A cache for each person who signs in: nothing of the one before is ever shown to the next.
  provider: () => new QueryCache(),
  use: [cacheRetention],
  // For this long SWR also keeps every answer in memory.
  dedupingInterval: 2_000,
  revalidateOnFocus: false,
  revalidateOnReconnect: true,
  keepPreviousData: true,
  onErrorRetry: (error: unknown, _key, _config, revalidate, { retryCount }) => {
    if (isFinal(error) || retryCount > 1) return;
    setTimeout(() => void revalidate({ retryCount }), retryDelay(error));
  },
};

function retryDelay(error: unknown): number {
  return jitter(Math.min(getRetryAfterMs(error) ?? RETRY_MS, MAX_RETRY_MS));
}
