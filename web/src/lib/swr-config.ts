import type { Cache, SWRConfiguration } from 'swr';
import { AnswerCache } from './answer-cache.ts';
import { ApiError } from './api-error.ts';
import { holdAnswers } from './hold-answers.ts';

const STALE_MS = 5 * 60_000;
const RETRY_MS = 1_000;

/** Reads count as fresh for five minutes unless something says they changed, stay ten minutes unseen, and are retried once (specification, section 9). */
export const swrConfig: SWRConfiguration & { provider: () => Cache } = {
  // A cache for each person who signs in: nothing of the one before is ever shown to the next.
  provider: () => new AnswerCache(),
  use: [holdAnswers],
  dedupingInterval: STALE_MS,
  revalidateOnFocus: false,
  revalidateOnReconnect: true,
  keepPreviousData: true,
  onErrorRetry: (error: unknown, _key, _config, revalidate, { retryCount }) => {
    const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
    if (isFinal || retryCount > 1) return;
    setTimeout(() => void revalidate({ retryCount }), RETRY_MS);
  },
};
