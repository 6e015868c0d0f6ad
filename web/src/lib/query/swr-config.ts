import type { Cache, SWRConfiguration } from 'swr';
import { getRetryAfterMs, isFinal } from '../api/api-error.ts';
import { jitter } from '../jitter.ts';
import { cacheRetention } from './cache-retention.ts';
import { QueryCache } from './query-cache.ts';

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/**
 * Data is fresh for five minutes (`cache-retention.ts`), is kept ten minutes without observers, and is retried once. Later retries are up to `realtime/refetch-scheduler.ts`.
 */
export const swrConfig: SWRConfiguration & { provider: () => Cache } = {
  // A cache per user: data of one user is never shown to the next.
  provider: () => new QueryCache(),
  use: [cacheRetention],
  // SWR also keeps all data of this time in memory.
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
