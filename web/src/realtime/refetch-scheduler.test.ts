import { MIN_REFETCH_INTERVAL_MS } from '@atrium/proto-events/topics';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  RETRY_MS,
  BURST_SIZE,
  createRefetchScheduler,
  MIN_INTERVAL_MS,
  PAUSE_FACTOR,
  type RefetchScheduler,
} from './refetch-scheduler.ts';
import { MAX_QUICK_RETRIES, SLOW_MS } from './retry-delay.ts';

const KEY = '/tasks/project/65f0c0ffee0000000000000a?status=todo';
const ANSWER_MS = 100;
/** The maximum pause after a response that took `ANSWER_MS`. */
const PAUSE_MS = ANSWER_MS * PAUSE_FACTOR * 1.5;

let asked: { key: string; at: number }[];
let underWay: number;
let retryAfterMs: number;
let hasFailed: boolean;
let isMissed: boolean;
let isLookedAt: boolean;
let look: (() => void) | undefined;
let outdated: string[];
let refresher: RefetchScheduler;

beforeEach(() => {
  jest.useFakeTimers();
  asked = [];
  underWay = 0;
  retryAfterMs = 0;
  hasFailed = false;
  isMissed = true;
  isLookedAt = true;
  look = undefined;
  outdated = [];
  refresher = createRefetchScheduler({
    async refetch(key) {
      asked.push({ key, at: performance.now() });
      underWay += 1;
      expect(underWay).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
      underWay -= 1;
      return { hasFailed, retryAfterMs };
    },
    isMissing: () => isMissed,
    isWorkspaceWide: (key) => key.startsWith('/all/'),
    markStale: (key) => outdated.push(key),
    isVisible: () => isLookedAt,
    onceVisible: (then) => {
      look = then;
    },
  });
});

afterEach(() => void jest.useRealTimers());

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('a changed key', () => {
  it('is refetched immediately, and once more when it changed during the request', async () => {
    refresher.scheduleRefetch([KEY]);
    expect(asked).toHaveLength(1);
    for (let n = 0; n < 9; n += 1) {
      await pass(10);
      refresher.scheduleRefetch([KEY]);
    }
    await pass(60_000);
    expect(asked).toHaveLength(2);
  });

  it('is refetched at the pace of its responses while it keeps changing, and the last change is shown', async () => {
    for (let n = 0; n < 600; n += 1) {
      refresher.scheduleRefetch([KEY]);
      await pass(50);
    }
    const last = performance.now();
    await pass(60_000);
    const [first = 0, ...pauses] = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0) - ANSWER_MS);
    expect(first).toBeGreaterThanOrEqual(MIN_INTERVAL_MS);
    expect(first).toBeLessThanOrEqual(MIN_INTERVAL_MS * 1.5 + 50);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(ANSWER_MS * PAUSE_FACTOR);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(PAUSE_MS + 50);
    expect(new Set(pauses.map(Math.round)).size).toBeGreaterThan(10);
    expect(asked.at(-1)?.at).toBeGreaterThanOrEqual(last - 50);
    expect(asked.length).toBeGreaterThan(30_000 / (PAUSE_MS + ANSWER_MS + 50));
  });

  it('does not delay other keys', async () => {
    const other = '/users';
    const keys: string[] = [];
    const both = createRefetchScheduler({
      refetch: async (key) => {
        keys.push(key);
        await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
        return { hasFailed: false, retryAfterMs: 0 };
      },
      isMissing: () => false,
      isWorkspaceWide: () => false,
      markStale: () => undefined,
      isVisible: () => true,
      onceVisible: () => undefined,
    });
    both.scheduleRefetch([KEY]);
    both.scheduleRefetch([other]);
    expect(keys).toEqual([KEY, other]);
  });

  it('is refetched once when the page becomes visible', async () => {
    isLookedAt = false;
    for (let n = 0; n < 20; n += 1) {
      refresher.scheduleRefetch([KEY]);
      await pass(1_000);
    }
    expect(asked).toHaveLength(0);
    isLookedAt = true;
    look?.();
    await pass(60_000);
    expect(asked).toHaveLength(1);
  });

  it('is not refetched before Retry-After has passed', async () => {
    retryAfterMs = 5_000;
    refresher.scheduleRefetch([KEY]);
    await pass(ANSWER_MS);
    refresher.scheduleRefetch([KEY]);
    await pass(4_900);
    expect(asked).toHaveLength(1);
    await pass(5_000);
    expect(asked).toHaveLength(2);
  });

  it('stays stale for the next observer when its response predates the change', async () => {
    refresher.scheduleRefetch([KEY]);
    await pass(ANSWER_MS / 2);
    refresher.scheduleRefetch([KEY]);
    outdated = [];
    await pass(ANSWER_MS / 2);
    expect(outdated).toEqual([KEY]);
  });
});

describe('a workspace-wide key', () => {
  const screen = Array.from({ length: BURST_SIZE }, (_, n) => `/all/${n}`);
  const SLOWEST_MS = MIN_REFETCH_INTERVAL_MS * 1.5;
  beforeEach(() => {
    refresher = createRefetchScheduler({
      refetch: async (key) => {
        asked.push({ key, at: performance.now() });
        return { hasFailed: false, retryAfterMs: 0 };
      },
      isMissing: () => false,
      isWorkspaceWide: (key) => key.startsWith('/all/'),
      markStale: () => undefined,
      isVisible: () => isLookedAt,
      onceVisible: (then) => {
        look = then;
      },
    });
  });

  it('is refetched immediately on an idle screen, and all such keys share one rate under constant change', async () => {
    refresher.scheduleRefetch(screen);
    expect(asked).toHaveLength(BURST_SIZE);
    const seconds = 120;
    for (let n = 0; n < 10 * seconds; n += 1) {
      refresher.scheduleRefetch(screen);
      await pass(100);
    }
    const isInTime = asked.length - BURST_SIZE;
    expect(isInTime).toBeLessThanOrEqual((seconds * 1_000) / MIN_REFETCH_INTERVAL_MS);
    expect(isInTime).toBeGreaterThan((seconds * 1_000) / SLOWEST_MS - BURST_SIZE);
    for (const key of screen) {
      const times = asked.filter((one) => one.key === key).map(({ at }) => at);
      const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(MIN_REFETCH_INTERVAL_MS);
      expect(Math.max(...pauses)).toBeLessThanOrEqual((BURST_SIZE + 1) * SLOWEST_MS);
    }
  });

  it('is refetched at most once in two seconds over half a minute, including the initial burst', async () => {
    for (let run = 0; run < 20; run += 1) {
      await pass(60_000);
      asked = [];
      for (let n = 0; n < 300; n += 1) {
        refresher.scheduleRefetch(screen);
        await pass(100);
      }
      expect(asked.length).toBeLessThanOrEqual(30_000 / MIN_REFETCH_INTERVAL_MS);
      expect(asked.length).toBeGreaterThanOrEqual(12);
    }
  });

  it('is refetched at the interval the server sends, starting at a random time per browser', async () => {
    const minRefetchIntervalMs = 20_000;
    refresher.setMinInterval(minRefetchIntervalMs);
    const firsts: number[] = [];
    for (let browser = 0; browser < 20; browser += 1) {
      await pass(10 * minRefetchIntervalMs);
      asked = [];
      const began = performance.now();
      for (let n = 0; n < 100; n += 1) {
        refresher.scheduleRefetch(screen);
        await pass(1_000);
      }
      firsts.push((asked[0]?.at ?? Number.NaN) - began);
      expect(asked.length).toBeLessThanOrEqual(100_000 / minRefetchIntervalMs);
      expect(asked.length).toBeGreaterThanOrEqual(100_000 / (minRefetchIntervalMs * 1.2) - 2);
    }
    expect(Math.min(...firsts)).toBeLessThan(minRefetchIntervalMs / 2);
    expect(Math.max(...firsts)).toBeGreaterThan(minRefetchIntervalMs / 2);
    expect(Math.max(...firsts)).toBeLessThanOrEqual(minRefetchIntervalMs);
    // The default interval applies again when the server sends none.
    refresher.setMinInterval();
    await pass(10 * minRefetchIntervalMs);
    asked = [];
    refresher.scheduleRefetch(screen);
    await pass(0);
    expect(asked).toHaveLength(BURST_SIZE);
  });

  it('delays neither other keys nor immediate refetches', async () => {
    refresher.scheduleRefetch(screen);
    await pass(100);
    refresher.scheduleRefetch(screen);
    asked = [];
    refresher.scheduleRefetch([KEY]);
    refresher.refetchNow(screen);
    await pass(ANSWER_MS);
    expect(asked.map(({ key }) => key)).toEqual([KEY, ...screen]);
  });
});

describe('a key that failed to load', () => {
  it('is retried until it succeeds', async () => {
    hasFailed = true;
    refresher.scheduleRefetch([KEY]);
    await pass(RETRY_MS);
    expect(asked).toHaveLength(1);
    // At most half as long again, plus the response time.
    await pass(RETRY_MS / 2 + 3 * ANSWER_MS);
    expect(asked).toHaveLength(2);
    hasFailed = false;
    await pass(RETRY_MS * 2);
    expect(asked).toHaveLength(3);
    await pass(10 * RETRY_MS);
    expect(asked).toHaveLength(3);
  });

  it('is not retried before Retry-After has passed', async () => {
    [hasFailed, retryAfterMs] = [true, 60_000];
    refresher.scheduleRefetch([KEY]);
    await pass(60_000 + RETRY_MS);
    expect(asked).toHaveLength(1);
    await pass(60_000);
    expect(asked).toHaveLength(2);
  });

  it('is retried every half minute after several attempts, with jitter per browser', async () => {
    hasFailed = true;
    refresher.scheduleRefetch([KEY]);
    await pass(MAX_QUICK_RETRIES * (RETRY_MS * 1.5 + ANSWER_MS) + 40 * SLOW_MS);
    const pauses = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0) - ANSWER_MS);
    const [quick, slow] = [pauses.slice(0, MAX_QUICK_RETRIES - 1), pauses.slice(MAX_QUICK_RETRIES - 1)];
    expect(Math.max(...quick)).toBeLessThanOrEqual(RETRY_MS * 1.5);
    expect(Math.min(...slow)).toBeGreaterThanOrEqual(SLOW_MS);
    expect(Math.max(...slow)).toBeLessThanOrEqual(SLOW_MS * 1.5);
    expect(new Set(slow.map(Math.round)).size).toBeGreaterThan(10);
  });

  it('is retried regardless of which caller failed, and not before Retry-After has passed', async () => {
    refresher.recordFailure(KEY, { hasFailed: true, retryAfterMs: 60_000 });
    await pass(30_000);
    refresher.scheduleRefetch([KEY]);
    await pass(29_000);
    expect(asked).toHaveLength(0);
    await pass(60_000);
    expect(asked).toHaveLength(1);
    refresher.recordFailure(KEY, { hasFailed: true, retryAfterMs: 0 });
    await pass(RETRY_MS - 1);
    expect(asked).toHaveLength(1);
    await pass(RETRY_MS);
    expect(asked).toHaveLength(2);
  });

  it('is not retried after a final failure of another caller, or while it is being refetched', async () => {
    refresher.recordFailure(KEY, { hasFailed: false, retryAfterMs: 0 });
    await pass(10 * RETRY_MS);
    expect(asked).toHaveLength(0);
    refresher.scheduleRefetch([KEY]);
    refresher.recordFailure(KEY, { hasFailed: true, retryAfterMs: 0 });
    await pass(10 * RETRY_MS);
    expect(asked).toHaveLength(1);
  });

  it('is not retried when it is no longer observed or another caller has refetched it', async () => {
    hasFailed = true;
    refresher.scheduleRefetch([KEY]);
    await pass(ANSWER_MS);
    isMissed = false;
    await pass(10 * RETRY_MS);
    expect(asked).toHaveLength(1);
  });

  it('is refetched immediately when it changes, and waits while the page is hidden', async () => {
    hasFailed = true;
    refresher.scheduleRefetch([KEY]);
    await pass(ANSWER_MS + MIN_INTERVAL_MS * 1.5);
    refresher.scheduleRefetch([KEY]);
    expect(asked).toHaveLength(2);
    isLookedAt = false;
    await pass(10 * RETRY_MS);
    expect(asked).toHaveLength(2);
    isLookedAt = true;
    look?.();
    expect(asked).toHaveLength(3);
  });
});

describe('an immediate refetch', () => {
  it('ignores the pace and the visibility of the page', async () => {
    refresher.scheduleRefetch([KEY]);
    await pass(ANSWER_MS);
    isLookedAt = false;
    refresher.refetchNow([KEY]);
    expect(asked).toHaveLength(2);
    expect(MIN_INTERVAL_MS).toBeGreaterThan(ANSWER_MS);
  });

  it('follows the request in flight, which predates the write', async () => {
    refresher.scheduleRefetch([KEY]);
    await pass(ANSWER_MS / 2);
    refresher.refetchNow([KEY]);
    expect(asked).toHaveLength(1);
    await pass(ANSWER_MS / 2);
    expect(asked).toHaveLength(2);
    expect(outdated).toEqual([KEY, KEY, KEY]);
  });
});
