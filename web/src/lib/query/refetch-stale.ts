import { getRetryAfterMs, isFinal } from '../api/api-error.ts';
import { jitter } from '../delays.ts';
import type { QueryCache } from './query-cache.ts';

/** A pause after each response, so that frequent changes cause a request every other second. */
export const MIN_PAUSE_MS = 2_000;
/** The pause is at least this multiple of the response time, so that slow responses reduce the load. */
export const PAUSE_FACTOR = 5;
export const RETRY_MS = 10_000;
const SLOW_RETRY_MS = 60_000;
const MAX_QUICK_RETRIES = 6;

type StaleRefetchDeps = {
  cache: Pick<QueryCache, 'onStale' | 'onFailed' | 'isObserved' | 'settled' | 'dataAge'>;
  /** Requests the key again, and rejects if that fails. */
  revalidate: (key: string) => Promise<unknown>;
  isVisible: () => boolean;
  onceVisible: (callback: () => void) => void;
};

export type StaleRefetch = {
  /** Spreads the requests for keys that become stale from now on over this time. */
  spreadOver(ms: number): void;
  /** Requests keys without a delay, after the user's own write. */
  refetchNow(keys: Iterable<string>): void;
  stop(): void;
};

type KeyState = {
  isFetching: boolean;
  isStale: boolean;
  failures: number;
  /** Earliest next request, by `performance.now()`. */
  nextAllowedAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
};

/**
 * Requests stale responses that are shown, each at most once at a time; others are requested when they are shown again.
 * Failed requests are repeated until they succeed.
 */
export function refetchStale({ cache, revalidate, isVisible, onceVisible }: StaleRefetchDeps): StaleRefetch {
  const states = new Map<string, KeyState>();
  let spreadMs = 0;
  let isAwaitingVisibility = false;

  const stateOf = (key: string): KeyState => {
    const state = states.get(key) ?? {
      isFetching: false,
      isStale: false,
      failures: 0,
      nextAllowedAt: 0,
      timer: undefined,
    };
    states.set(key, state);
    return state;
  };
  const run = async (key: string, state: KeyState) => {
    state.isFetching = true;
    // SWR would discard the response to a request in flight.
    await cache.settled(key);
    state.isStale = false;
    const startedAt = performance.now();
    const error = await revalidate(key).then(
      () => undefined,
      (failure: unknown) => failure ?? new Error('Request failed'),
    );
    const endedAt = performance.now();
    state.isFetching = false;
    const pauseMs = jitter(Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * (endedAt - startedAt)));
    state.nextAllowedAt = endedAt + Math.max(pauseMs, getRetryAfterMs(error) ?? 0);
    if (error === undefined || isFinal(error)) state.failures = 0;
    else retryLater(key, state, error);
    if (state.isStale) schedule(key, state, 0);
  };
  const retryLater = (key: string, state: KeyState, error: unknown) => {
    state.failures += 1;
    const pauseMs = jitter(state.failures < MAX_QUICK_RETRIES ? RETRY_MS : SLOW_RETRY_MS);
    state.isStale = true;
    schedule(key, state, Math.max(pauseMs, getRetryAfterMs(error) ?? 0));
  };
  const schedule = (key: string, state: KeyState, delayMs: number) => {
    clearTimeout(state.timer);
    if (state.isFetching) return;
    const waitMs = Math.max(delayMs, state.nextAllowedAt - performance.now());
    state.timer = setTimeout(() => {
      if (!cache.isObserved(key)) states.delete(key);
      else if (isVisible()) void run(key, state);
      else awaitVisibility();
    }, waitMs);
  };
  const awaitVisibility = () => {
    if (isAwaitingVisibility) return;
    isAwaitingVisibility = true;
    onceVisible(() => {
      isAwaitingVisibility = false;
      for (const [key, state] of states) if (state.isStale) schedule(key, state, 0);
    });
  };
  const stopListening = [
    cache.onStale((key) => {
      if (!cache.isObserved(key)) {
        // Sends no request; it ends SWR's deduping interval, so that the next observer does.
        void revalidate(key).catch(() => undefined);
        return;
      }
      const state = stateOf(key);
      if (state.isStale) return;
      state.isStale = true;
      schedule(key, state, Math.random() * spreadMs);
    }),
    cache.onFailed((key, error) => {
      const state = stateOf(key);
      // A request of this function reports its own outcome.
      if (!state.isFetching && !state.isStale && !isFinal(error)) retryLater(key, state, error);
    }),
  ];
  return {
    spreadOver(ms) {
      spreadMs = ms;
    },
    refetchNow(keys) {
      for (const key of keys) {
        const state = stateOf(key);
        state.isStale = true;
        state.nextAllowedAt = 0;
        schedule(key, state, 0);
      }
    },
    stop() {
      for (const stopOne of stopListening) stopOne();
      for (const { timer } of states.values()) clearTimeout(timer);
    },
  };
}
