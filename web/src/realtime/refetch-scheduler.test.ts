import { MIN_REFETCH_INTERVAL_MS } from '@atrium/proto-events/live-updates/topics';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MAX_QUICK_RETRIES, SLOW_MS } from './connection/reconnect-delay.ts';
import {
  BURST_SIZE,
  createRefetchScheduler,
  MIN_INTERVAL_MS,
  PAUSE_FACTOR,
  RETRY_MS,
  type RefetchScheduler,
} from './refetch-scheduler.ts';

const KEY = '/tasks/project/65f0c0ffee0000000000000a?status=todo';
const RESPONSE_MS = 100;
/** The maximum pause after a response that took `RESPONSE_MS`. */
const PAUSE_MS = RESPONSE_MS * PAUSE_FACTOR * 1.5;

let requests: { key: string; at: number }[];
let inFlight: number;
let retryAfterMs: number;
let hasFailed: boolean;
let isMissing: boolean;
let isVisible: boolean;
let showPage: (() => void) | undefined;
let staleKeys: string[];
let scheduler: RefetchScheduler;

beforeEach(() => {
  jest.useFakeTimers();
  requests = [];
  inFlight = 0;
  retryAfterMs = 0;
  hasFailed = false;
  isMissing = true;
  isVisible = true;
  showPage = undefined;
  staleKeys = [];
  scheduler = createRefetchScheduler({
    async refetch(key) {
      requests.push({ key, at: performance.now() });
      inFlight += 1;
      expect(inFlight).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, RESPONSE_MS));
      inFlight -= 1;
      return { hasFailed, retryAfterMs };
    },
    isMissing: () => isMissing,
    isWorkspaceWide: (key) => key.startsWith('/all/'),
    markStale: (key) => staleKeys.push(key),
    isVisible: () => isVisible,
    onceVisible: (callback) => {
      showPage = callback;
    },
  });
});

afterEach(() => void jest.useRealTimers());

const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('a changed key', () => {
  it('is refetched immediately, and once more when it changed during the request', async () => {
    scheduler.scheduleRefetch([KEY]);
    expect(requests).toHaveLength(1);
    for (let n = 0; n < 9; n += 1) {
      await advance(10);
      scheduler.scheduleRefetch([KEY]);
    }
    await advance(60_000);
    expect(requests).toHaveLength(2);
  });

  it('is refetched at the pace of its responses while it keeps changing, and after the last change', async () => {
    for (let n = 0; n < 600; n += 1) {
      scheduler.scheduleRefetch([KEY]);
      await advance(50);
    }
    const lastChangeAt = performance.now();
    await advance(60_000);
    const [first = 0, ...pauses] = requests
      .slice(1)
      .map(({ at }, index) => at - (requests[index]?.at ?? 0) - RESPONSE_MS);
    expect(first).toBeGreaterThanOrEqual(MIN_INTERVAL_MS);
    expect(first).toBeLessThanOrEqual(MIN_INTERVAL_MS * 1.5 + 50);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(RESPONSE_MS * PAUSE_FACTOR);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(PAUSE_MS + 50);
    expect(new Set(pauses.map(Math.round)).size).toBeGreaterThan(10);
    expect(requests.at(-1)?.at).toBeGreaterThanOrEqual(lastChangeAt - 50);
    expect(requests.length).toBeGreaterThan(30_000 / (PAUSE_MS + RESPONSE_MS + 50));
  });

  it('does not delay other keys', async () => {
    const otherKey = '/users';
    const keys: string[] = [];
    const parallelScheduler = createRefetchScheduler({
      refetch: async (key) => {
        keys.push(key);
        await new Promise((resolve) => setTimeout(resolve, RESPONSE_MS));
        return { hasFailed: false, retryAfterMs: 0 };
      },
      isMissing: () => false,
      isWorkspaceWide: () => false,
      markStale: () => undefined,
      isVisible: () => true,
      onceVisible: () => undefined,
    });
    parallelScheduler.scheduleRefetch([KEY]);
    parallelScheduler.scheduleRefetch([otherKey]);
    expect(keys).toEqual([KEY, otherKey]);
  });

  it('is refetched once when the page becomes visible', async () => {
    isVisible = false;
    for (let n = 0; n < 20; n += 1) {
      scheduler.scheduleRefetch([KEY]);
      await advance(1_000);
    }
    expect(requests).toHaveLength(0);
    isVisible = true;
    showPage?.();
    await advance(60_000);
    expect(requests).toHaveLength(1);
  });

  it('is not refetched before Retry-After has passed', async () => {
    retryAfterMs = 5_000;
    scheduler.scheduleRefetch([KEY]);
    await advance(RESPONSE_MS);
    scheduler.scheduleRefetch([KEY]);
    await advance(4_900);
    expect(requests).toHaveLength(1);
    await advance(5_000);
    expect(requests).toHaveLength(2);
  });

  it('stays stale for the next observer when its response predates the change', async () => {
    scheduler.scheduleRefetch([KEY]);
    await advance(RESPONSE_MS / 2);
    scheduler.scheduleRefetch([KEY]);
    staleKeys = [];
    await advance(RESPONSE_MS / 2);
    expect(staleKeys).toEqual([KEY]);
  });
});

describe('a workspace-wide key', () => {
  const screen = Array.from({ length: BURST_SIZE }, (_, n) => `/all/${n}`);
  const SLOWEST_MS = MIN_REFETCH_INTERVAL_MS * 1.5;
  beforeEach(() => {
    scheduler = createRefetchScheduler({
      refetch: async (key) => {
        requests.push({ key, at: performance.now() });
        return { hasFailed: false, retryAfterMs: 0 };
      },
      isMissing: () => false,
      isWorkspaceWide: (key) => key.startsWith('/all/'),
      markStale: () => undefined,
      isVisible: () => isVisible,
      onceVisible: (callback) => {
        showPage = callback;
      },
    });
  });

  it('is refetched immediately on an idle screen, and all such keys share one rate under constant change', async () => {
    scheduler.scheduleRefetch(screen);
    expect(requests).toHaveLength(BURST_SIZE);
    const seconds = 120;
    for (let n = 0; n < 10 * seconds; n += 1) {
      scheduler.scheduleRefetch(screen);
      await advance(100);
    }
    const pacedCount = requests.length - BURST_SIZE;
    expect(pacedCount).toBeLessThanOrEqual((seconds * 1_000) / MIN_REFETCH_INTERVAL_MS);
    expect(pacedCount).toBeGreaterThan((seconds * 1_000) / SLOWEST_MS - BURST_SIZE);
    for (const key of screen) {
      const times = requests.filter((request) => request.key === key).map(({ at }) => at);
      const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(MIN_REFETCH_INTERVAL_MS);
      expect(Math.max(...pauses)).toBeLessThanOrEqual((BURST_SIZE + 1) * SLOWEST_MS);
    }
  });

  it('is refetched at most once in two seconds over half a minute, including the initial burst', async () => {
    for (let run = 0; run < 20; run += 1) {
      await advance(60_000);
      requests = [];
      for (let n = 0; n < 300; n += 1) {
        scheduler.scheduleRefetch(screen);
        await advance(100);
      }
      expect(requests.length).toBeLessThanOrEqual(30_000 / MIN_REFETCH_INTERVAL_MS);
      expect(requests.length).toBeGreaterThanOrEqual(12);
    }
  });

  it('is refetched at the interval the server sends, starting at a random time per browser', async () => {
    const minRefetchIntervalMs = 20_000;
    scheduler.setMinInterval(minRefetchIntervalMs);
    const firstDelays: number[] = [];
    for (let browser = 0; browser < 20; browser += 1) {
      await advance(10 * minRefetchIntervalMs);
      requests = [];
      const startedAt = performance.now();
      for (let n = 0; n < 100; n += 1) {
        scheduler.scheduleRefetch(screen);
        await advance(1_000);
      }
      firstDelays.push((requests[0]?.at ?? Number.NaN) - startedAt);
      expect(requests.length).toBeLessThanOrEqual(100_000 / minRefetchIntervalMs);
      expect(requests.length).toBeGreaterThanOrEqual(100_000 / (minRefetchIntervalMs * 1.2) - 2);
    }
    expect(Math.min(...firstDelays)).toBeLessThan(minRefetchIntervalMs / 2);
    expect(Math.max(...firstDelays)).toBeGreaterThan(minRefetchIntervalMs / 2);
    expect(Math.max(...firstDelays)).toBeLessThanOrEqual(minRefetchIntervalMs);
    // The default interval applies again when the server sends none.
    scheduler.setMinInterval();
    await advance(10 * minRefetchIntervalMs);
    requests = [];
    scheduler.scheduleRefetch(screen);
    await advance(0);
    expect(requests).toHaveLength(BURST_SIZE);
  });

  it('delays neither other keys nor immediate refetches', async () => {
    scheduler.scheduleRefetch(screen);
    await advance(100);
    scheduler.scheduleRefetch(screen);
    requests = [];
    scheduler.scheduleRefetch([KEY]);
    scheduler.refetchNow(screen);
    await advance(RESPONSE_MS);
    expect(requests.map(({ key }) => key)).toEqual([KEY, ...screen]);
  });
});

describe('a key that failed to load', () => {
  it('is retried until it succeeds', async () => {
    hasFailed = true;
    scheduler.scheduleRefetch([KEY]);
    await advance(RETRY_MS);
    expect(requests).toHaveLength(1);
    // Jitter adds at most half of the delay, and the response takes time as well.
    await advance(RETRY_MS / 2 + 3 * RESPONSE_MS);
    expect(requests).toHaveLength(2);
    hasFailed = false;
    await advance(RETRY_MS * 2);
    expect(requests).toHaveLength(3);
    await advance(10 * RETRY_MS);
    expect(requests).toHaveLength(3);
  });

  it('is not retried before Retry-After has passed', async () => {
    hasFailed = true;
    retryAfterMs = 60_000;
    scheduler.scheduleRefetch([KEY]);
    await advance(60_000 + RETRY_MS);
    expect(requests).toHaveLength(1);
    await advance(60_000);
    expect(requests).toHaveLength(2);
  });

  it('is retried every half minute after several attempts, with jitter per browser', async () => {
    hasFailed = true;
    scheduler.scheduleRefetch([KEY]);
    await advance(MAX_QUICK_RETRIES * (RETRY_MS * 1.5 + RESPONSE_MS) + 40 * SLOW_MS);
    const pauses = requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0) - RESPONSE_MS);
    const quickPauses = pauses.slice(0, MAX_QUICK_RETRIES - 1);
    const slowPauses = pauses.slice(MAX_QUICK_RETRIES - 1);
    expect(Math.max(...quickPauses)).toBeLessThanOrEqual(RETRY_MS * 1.5);
    expect(Math.min(...slowPauses)).toBeGreaterThanOrEqual(SLOW_MS);
    expect(Math.max(...slowPauses)).toBeLessThanOrEqual(SLOW_MS * 1.5);
    expect(new Set(slowPauses.map(Math.round)).size).toBeGreaterThan(10);
  });

  it('is retried regardless of which caller failed, and not before Retry-After has passed', async () => {
    scheduler.recordFailure(KEY, { hasFailed: true, retryAfterMs: 60_000 });
    await advance(30_000);
    scheduler.scheduleRefetch([KEY]);
    await advance(29_000);
    expect(requests).toHaveLength(0);
    await advance(60_000);
    expect(requests).toHaveLength(1);
    scheduler.recordFailure(KEY, { hasFailed: true, retryAfterMs: 0 });
    await advance(RETRY_MS - 1);
    expect(requests).toHaveLength(1);
    await advance(RETRY_MS);
    expect(requests).toHaveLength(2);
  });

  it('is not retried after a final failure of a different caller, or while it is being refetched', async () => {
    scheduler.recordFailure(KEY, { hasFailed: false, retryAfterMs: 0 });
    await advance(10 * RETRY_MS);
    expect(requests).toHaveLength(0);
    scheduler.scheduleRefetch([KEY]);
    scheduler.recordFailure(KEY, { hasFailed: true, retryAfterMs: 0 });
    await advance(10 * RETRY_MS);
    expect(requests).toHaveLength(1);
  });

  it('is not retried when it is no longer observed or a different caller has refetched it', async () => {
    hasFailed = true;
    scheduler.scheduleRefetch([KEY]);
    await advance(RESPONSE_MS);
    isMissing = false;
    await advance(10 * RETRY_MS);
    expect(requests).toHaveLength(1);
  });

  it('is refetched immediately when it changes, and waits while the page is hidden', async () => {
    hasFailed = true;
    scheduler.scheduleRefetch([KEY]);
    await advance(RESPONSE_MS + MIN_INTERVAL_MS * 1.5);
    scheduler.scheduleRefetch([KEY]);
    expect(requests).toHaveLength(2);
    isVisible = false;
    await advance(10 * RETRY_MS);
    expect(requests).toHaveLength(2);
    isVisible = true;
    showPage?.();
    expect(requests).toHaveLength(3);
  });
});

describe('an immediate refetch', () => {
  it('ignores the pace and the visibility of the page', async () => {
    scheduler.scheduleRefetch([KEY]);
    await advance(RESPONSE_MS);
    isVisible = false;
    scheduler.refetchNow([KEY]);
    expect(requests).toHaveLength(2);
    expect(MIN_INTERVAL_MS).toBeGreaterThan(RESPONSE_MS);
  });

  it('follows the request in flight, which predates the write', async () => {
    scheduler.scheduleRefetch([KEY]);
    await advance(RESPONSE_MS / 2);
    scheduler.refetchNow([KEY]);
    expect(requests).toHaveLength(1);
    await advance(RESPONSE_MS / 2);
    expect(requests).toHaveLength(2);
    expect(staleKeys).toEqual([KEY, KEY, KEY]);
  });
});
