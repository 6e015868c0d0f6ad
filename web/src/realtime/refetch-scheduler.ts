import { MIN_REFETCH_INTERVAL_MS } from '@atrium/proto-events/live-updates/topics';
import { getRetryAfterMs, isFinal } from '#lib/api/api-error.ts';
import { jitter, SPREAD } from '#lib/delays.ts';
import { MAX_QUICK_RETRIES, SLOW_MS } from './connection/reconnect-delay.ts';

export type RefetchScheduler = {
  scheduleRefetch(keys: Iterable<string>): void;
  /** Refetches immediately, or right after the request in flight. */
  refetchNow(keys: Iterable<string>): void;
  recordFailure(key: string, outcome: Outcome): void;
  setMinInterval(minRefetchIntervalMs?: number): void;
};

export type Outcome = { hasFailed: boolean; retryAfterMs: number };

export const toOutcome = (error: unknown): Outcome => ({
  hasFailed: error !== undefined && !isFinal(error),
  retryAfterMs: getRetryAfterMs(error) ?? 0,
});

type RefetchSchedulerDeps = {
  refetch: (key: string) => Promise<Outcome>;
  isMissing: (key: string) => boolean;
  markStale: (key: string) => void;
  isWorkspaceWide: (key: string) => boolean;
  isVisible: () => boolean;
  onceVisible: (callback: () => void) => void;
};

export const MIN_INTERVAL_MS = 250;
/**
 * After an idle time, the workspace-wide keys of one screen are refetched together, unless the server asks for a longer
 * interval.
 */
export const BURST_SIZE = 3;
/**
 * The pause is a multiple of the response time, so that slow responses reduce the load. A second change shortly after
 * the first is exempt.
 */
export const PAUSE_FACTOR = 5;
export const RETRY_MS = 10_000;
/** The lead gained by a burst shrinks with each refetch, and is used up within half a minute. */
const BURST_DECAY = 0.85;
/** With more jitter, a screen with two or three workspace-wide keys could be outdated for more than five seconds. */
const SLOT_JITTER = 0.2;

type KeyState = {
  isFetching: boolean;
  isStale: boolean;
  failures: number;
  wasDelayed: boolean;
  /** Earliest next request, by `performance.now()`. */
  nextAllowed: { scheduled: number; immediate: number };
  slot: number | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  isImmediate: boolean;
};

const newKeyState = (): KeyState => ({
  isFetching: false,
  isStale: false,
  failures: 0,
  wasDelayed: false,
  nextAllowed: { scheduled: 0, immediate: 0 },
  slot: undefined,
  timer: undefined,
  isImmediate: false,
});

/**
 * When the server asks for a longer interval, it asks many browsers at once, so the first time after an idle
 * period is random within it.
 */
function createRefetchBudget(minRefetchIntervalMs: () => number) {
  let bookedUntil = Number.NEGATIVE_INFINITY;
  let leadMs = 0;
  const reserveSlot = (earliest: number): number => {
    const now = performance.now();
    const interval = minRefetchIntervalMs();
    const isThrottled = interval > MIN_REFETCH_INTERVAL_MS;
    const isIdle = bookedUntil <= now;
    const burstSize = isThrottled ? 1 : BURST_SIZE;
    const first = isThrottled && isIdle ? now + Math.random() * interval : now;
    const maxLeadMs = (burstSize - 1) * interval * (1 + SLOT_JITTER);
    leadMs = isIdle ? maxLeadMs : Math.min(leadMs, maxLeadMs);
    if (bookedUntil - leadMs > now) leadMs *= BURST_DECAY;
    const slot = Math.max(first, earliest, bookedUntil - leadMs);
    bookedUntil = Math.max(bookedUntil, slot) + jitter(interval, SLOT_JITTER);
    return slot;
  };
  const shortenQueue = () => {
    bookedUntil = Math.min(bookedUntil, performance.now() + minRefetchIntervalMs());
  };
  return { reserveSlot, shortenQueue };
}

/**
 * Keeps at most one request per key in flight and one more waiting, so that every response is shown, regardless of how
 * often the key changes.
 */
export function createRefetchScheduler(deps: RefetchSchedulerDeps): RefetchScheduler {
  const { refetch, isMissing, markStale, isWorkspaceWide, isVisible, onceVisible } = deps;
  const states = new Map<string, KeyState>();
  let minRefetchIntervalMs = MIN_REFETCH_INTERVAL_MS;
  const budget = createRefetchBudget(() => minRefetchIntervalMs);
  let isAwaitingVisibility = false;

  const run = async (key: string, state: KeyState) => {
    clearTimeout(state.timer);
    state.isFetching = true;
    state.isStale = false;
    state.slot = undefined;
    state.isImmediate = false;
    const startedAt = performance.now();
    const { hasFailed, retryAfterMs } = await refetch(key);
    const endedAt = performance.now();
    const minInterval = isWorkspaceWide(key) ? minRefetchIntervalMs : MIN_INTERVAL_MS;
    const pause = Math.max(minInterval, state.wasDelayed ? PAUSE_FACTOR * (endedAt - startedAt) : 0);
    state.isFetching = false;
    state.wasDelayed = false;
    state.failures = hasFailed ? state.failures + 1 : 0;
    state.nextAllowed = {
      scheduled: endedAt + jitter(Math.max(pause, retryAfterMs)),
      immediate: endedAt + retryAfterMs,
    };
    if (state.isStale) {
      markStale(key);
      schedule(key, state);
    } else if (hasFailed) retryLater(key, state, retryAfterMs);
    else state.timer = setTimeout(() => states.delete(key), state.nextAllowed.scheduled - endedAt);
  };
  const retryLater = (key: string, state: KeyState, retryAfterMs: number) => {
    clearTimeout(state.timer);
    const pause = state.failures < MAX_QUICK_RETRIES ? RETRY_MS : SLOW_MS;
    state.timer = setTimeout(() => retry(key, state), retryAfterMs * (1 + SPREAD) + jitter(pause));
  };
  const retry = (key: string, state: KeyState) => {
    if (!isMissing(key)) return void states.delete(key);
    state.isStale = true;
    schedule(key, state);
  };
  const schedule = (key: string, state: KeyState) => {
    if (state.isFetching) return;
    clearTimeout(state.timer);
    const { isImmediate, nextAllowed } = state;
    if (!isImmediate && !isVisible()) return waitUntilVisible();
    if (!isImmediate && isWorkspaceWide(key)) state.slot ??= budget.reserveSlot(nextAllowed.scheduled);
    const wait = (isImmediate ? nextAllowed.immediate : (state.slot ?? nextAllowed.scheduled)) - performance.now();
    if (wait <= 0) return void run(key, state);
    state.wasDelayed = true;
    state.timer = setTimeout(() => schedule(key, state), wait);
  };
  const waitUntilVisible = () => {
    if (isAwaitingVisibility) return;
    isAwaitingVisibility = true;
    onceVisible(() => {
      isAwaitingVisibility = false;
      for (const [key, state] of states) if (state.isStale) schedule(key, state);
    });
  };
  const getOrCreateState = (key: string): KeyState => {
    const state = states.get(key) ?? newKeyState();
    states.set(key, state);
    return state;
  };
  const markAndSchedule = (key: string, isImmediate: boolean) => {
    const state = getOrCreateState(key);
    state.isStale = true;
    state.isImmediate ||= isImmediate;
    markStale(key);
    schedule(key, state);
  };
  return {
    setMinInterval(intervalMs = 0) {
      const previous = minRefetchIntervalMs;
      minRefetchIntervalMs = Math.max(MIN_REFETCH_INTERVAL_MS, intervalMs);
      if (minRefetchIntervalMs < previous) budget.shortenQueue();
    },
    scheduleRefetch(keys) {
      for (const key of keys) markAndSchedule(key, false);
    },
    refetchNow(keys) {
      for (const key of keys) markAndSchedule(key, true);
    },
    recordFailure(key, { hasFailed, retryAfterMs }) {
      if (!hasFailed) return;
      const state = getOrCreateState(key);
      const { scheduled, immediate } = state.nextAllowed;
      const now = performance.now();
      state.nextAllowed = {
        scheduled: Math.max(scheduled, now + jitter(retryAfterMs)),
        immediate: Math.max(immediate, now + retryAfterMs),
      };
      // A request of this scheduler reports its own outcome.
      if (!state.isFetching && !state.isStale) retryLater(key, state, retryAfterMs);
    },
  };
}
