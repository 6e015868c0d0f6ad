import { ApiError, getRetryAfterMs, isFinal } from '../api/api-error.ts';
import { jitter } from '../delays.ts';
import { FRESH_MS, type QueryCache } from './query-cache.ts';

/** The first requests follow each other quickly, so that several changes of one user are shown within a second. */
export const QUICK_REQUESTS = 3;
/** A pause after each further response, so that frequent changes cause a request every other second. */
export const MIN_PAUSE_MS = 2_000;
/** The pause is at least this multiple of the response time, so that slow responses reduce the load. */
export const PAUSE_FACTOR = 5;
export const MAX_PAUSE_MS = 10_000;
/** After this long without a request, the next ones are the first again. */
export const QUIET_MS = 10_000;
/** Delays after the first failure, after further ones, and after many. */
export const FIRST_RETRY_MS = 1_000;
export const RETRY_MS = 10_000;
export const SLOW_RETRY_MS = 60_000;
export const MAX_QUICK_RETRIES = 6;

/** The end of a long page is requested later than what is visible, and less often if it keeps changing. */
export const INCOMPLETE_SPREAD_FACTOR = 10;

type StaleRefetchDeps = {
  cache: Pick<QueryCache, 'onStale' | 'onFailed' | 'isObserved' | 'settled' | 'dataAge' | 'hasFailed'>;
  /** Requests the key again, and rejects if that fails. */
  revalidate: (key: string) => Promise<unknown>;
  isVisible: (key: string) => boolean;
  onceVisible: (callback: () => void) => void;
};

export type StaleRefetch = {
  /** Spreads the requests for keys that become stale from now on over this time. */
  spreadOver(ms: number): void;
  /** Requests stale keys without a delay, after the user's own write. */
  refetchNow(keys: Iterable<string>): void;
};

type KeyState = {
  isFetching: boolean;
  isStale: boolean;
  /** Whether only the end of a long page is missing. */
  isIncomplete: boolean;
  /** Whether the next request follows the user's own write, and therefore no pause. */
  isImmediate: boolean;
  failures: number;
  /** Requests that followed each other without a quiet period. */
  requests: number;
  /**
   * Earliest next request, by `performance.now()`: as spread, after a pause, and as the server requires (`Retry-After`).
   */
  dueAt: number;
  pausedUntil: number;
  retryAfter: number;
  timer: ReturnType<typeof setTimeout> | undefined;
};

const NEW_KEY: KeyState = {
  isFetching: false,
  isStale: false,
  isIncomplete: false,
  isImmediate: false,
  failures: 0,
  requests: 0,
  dueAt: 0,
  pausedUntil: 0,
  retryAfter: 0,
  timer: undefined,
};

function getRetryDelay(failures: number): number {
  if (failures === 1) return FIRST_RETRY_MS;
  return failures < MAX_QUICK_RETRIES ? RETRY_MS : SLOW_RETRY_MS;
}

function getPause({ requests, failures }: KeyState, responseMs: number): number {
  if (requests < QUICK_REQUESTS && failures === 0) return responseMs;
  return jitter(Math.min(Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * responseMs), MAX_PAUSE_MS));
}

const getError = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => undefined,
    (error: unknown) => error,
  );

const isTemporary = (error: unknown) => error instanceof ApiError && !isFinal(error);

/**
 * Requests stale responses that are shown, each at most once at a time; others are requested when they are shown again.
 * Failed requests are repeated until they succeed.
 */
export function refetchStale({ cache, revalidate, isVisible, onceVisible }: StaleRefetchDeps): StaleRefetch {
  const states = new Map<string, KeyState>();
  let spreadMs = 0;
  let isAwaitingVisibility = false;

  const stateOf = (key: string): KeyState => {
    const state = states.get(key) ?? { ...NEW_KEY };
    states.set(key, state);
    return state;
  };
  const run = async (key: string, state: KeyState) => {
    state.isFetching = true;
    // SWR would discard the response to a request in flight.
    await cache.settled(key);
    state.isFetching = !isCurrent(key);
    if (!state.isFetching) return void states.delete(key);
    Object.assign(state, { isStale: false, isIncomplete: false, isImmediate: false });
    const startedAt = performance.now();
    const error = await getError(revalidate(key));
    const endedAt = performance.now();
    state.isFetching = false;
    recordRetryAfter(state, error);
    state.requests += 1;
    state.failures = isTemporary(error) ? state.failures + 1 : 0;
    state.pausedUntil = endedAt + getPause(state, endedAt - startedAt);
    if (state.isStale) schedule(key, state);
    else if (state.failures > 0) retryLater(key, state);
    else state.timer = setTimeout(() => states.delete(key), state.pausedUntil - endedAt + QUIET_MS);
  };
  /** Whether another request has succeeded since the response became stale. */
  const isCurrent = (key: string) => cache.dataAge(key) < FRESH_MS && !cache.hasFailed(key);
  const recordRetryAfter = (state: KeyState, error: unknown) => {
    const retryAfterMs = getRetryAfterMs(error);
    if (retryAfterMs !== undefined) state.retryAfter = performance.now() + jitter(retryAfterMs);
  };
  const retryLater = (key: string, state: KeyState) => {
    state.isStale = true;
    state.dueAt = performance.now() + jitter(getRetryDelay(state.failures));
    schedule(key, state);
  };
  const schedule = (key: string, state: KeyState) => {
    clearTimeout(state.timer);
    if (state.isFetching) return;
    const earliest = state.isImmediate ? state.retryAfter : Math.max(state.retryAfter, state.dueAt, state.pausedUntil);
    state.timer = setTimeout(start, Math.max(0, earliest - performance.now()), key, state);
  };
  const start = (key: string, state: KeyState) => {
    if (!cache.isObserved(key)) {
      states.delete(key);
      void forget(key);
    } else if (isVisible(key)) void run(key, state);
    else awaitVisibility();
  };
  const awaitVisibility = () => {
    if (isAwaitingVisibility) return;
    isAwaitingVisibility = true;
    onceVisible(() => {
      isAwaitingVisibility = false;
      for (const [key, state] of states) if (state.isStale) schedule(key, state);
    });
  };
  const onStale = (key: string, isIncomplete: boolean) => {
    if (!cache.isObserved(key)) return void forget(key);
    const state = stateOf(key);
    const isScheduled = state.isStale && state.failures === 0 && (isIncomplete || !state.isIncomplete);
    state.isStale = true;
    if (isScheduled) return;
    state.isIncomplete = isIncomplete;
    state.dueAt = performance.now() + Math.random() * spreadMs * (isIncomplete ? INCOMPLETE_SPREAD_FACTOR : 1);
    schedule(key, state);
  };
  /** Sends no request; it ends SWR's deduping interval, so that the next observer does. */
  const forget = async (key: string) => {
    await cache.settled(key);
    if (cache.isObserved(key)) onStale(key, false);
    else await revalidate(key).catch(() => undefined);
  };
  const onFailed = (key: string, error: unknown) => {
    if (!isTemporary(error)) return;
    const state = stateOf(key);
    recordRetryAfter(state, error);
    // A request of this function reports its own outcome.
    if (state.isFetching || state.isStale) return;
    state.failures += 1;
    retryLater(key, state);
  };
  cache.onStale(onStale);
  cache.onFailed(onFailed);
  return {
    spreadOver(ms) {
      spreadMs = ms;
    },
    refetchNow(keys) {
      for (const key of keys) {
        const state = stateOf(key);
        state.isStale = true;
        state.isImmediate = true;
        schedule(key, state);
      }
    },
  };
}
