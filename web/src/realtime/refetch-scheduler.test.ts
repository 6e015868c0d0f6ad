import { MIN_REFETCH_INTERVAL_MS } from '@atrium/proto-events/topics';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  AGAIN_MS,
  AT_ONCE,
  createRefetchScheduler,
  LEAST_PAUSE_MS,
  PAUSE_PER_ANSWER,
  type Refresher,
} from './refetch-scheduler.ts';
import { QUICK_TRIES, SLOW_MS } from './retry-delay.ts';

const KEY = '/tasks/project/65f0c0ffee0000000000000a?status=todo';
const ANSWER_MS = 100;
/** The longest pause after an answer that took `ANSWER_MS`. */
const PAUSE_MS = ANSWER_MS * PAUSE_PER_ANSWER * 1.5;

let asked: { key: string; at: number }[];
let underWay: number;
let refusedMs: number;
let hasFailed: boolean;
let isMissed: boolean;
let isLookedAt: boolean;
let look: (() => void) | undefined;
let outdated: string[];
let refresher: Refresher;

beforeEach(() => {
  jest.useFakeTimers();
  asked = [];
  underWay = 0;
  refusedMs = 0;
  hasFailed = false;
  isMissed = true;
  isLookedAt = true;
  look = undefined;
  outdated = [];
  refresher = createRefetchScheduler({
    async ask(key) {
      asked.push({ key, at: performance.now() });
      underWay += 1;
      expect(underWay).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
      underWay -= 1;
      return { hasFailed, refusedMs };
    },
    isMissed: () => isMissed,
    isOfEverything: (key) => key.startsWith('/all/'),
    outdate: (key) => outdated.push(key),
    isLookedAt: () => isLookedAt,
    onceLookedAt: (then) => {
      look = then;
    },
  });
});

afterEach(() => void jest.useRealTimers());

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('what changed', () => {
  it('is asked for at once, and once more when it changed meanwhile', async () => {
    refresher.note([KEY]);
    expect(asked).toHaveLength(1);
    for (let n = 0; n < 9; n += 1) {
      await pass(10);
      refresher.note([KEY]);
    }
    await pass(60_000);
    expect(asked).toHaveLength(2);
  });

  it('is asked for at the pace of its answers while it changes all the time, and the last change is seen', async () => {
    for (let n = 0; n < 600; n += 1) {
      refresher.note([KEY]);
      await pass(50);
    }
    const last = performance.now();
    await pass(60_000);
    const [first = 0, ...pauses] = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0) - ANSWER_MS);
    expect(first).toBeGreaterThanOrEqual(LEAST_PAUSE_MS);
    expect(first).toBeLessThanOrEqual(LEAST_PAUSE_MS * 1.5 + 50);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(ANSWER_MS * PAUSE_PER_ANSWER);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(PAUSE_MS + 50);
    expect(new Set(pauses.map(Math.round)).size).toBeGreaterThan(10);
    expect(asked.at(-1)?.at).toBeGreaterThanOrEqual(last - 50);
    expect(asked.length).toBeGreaterThan(30_000 / (PAUSE_MS + ANSWER_MS + 50));
  });

  it('holds up nothing under another key', async () => {
    const other = '/users';
    const keys: string[] = [];
    const both = createRefetchScheduler({
      ask: async (key) => {
        keys.push(key);
        await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
        return { hasFailed: false, refusedMs: 0 };
      },
      isMissed: () => false,
      isOfEverything: () => false,
      outdate: () => undefined,
      isLookedAt: () => true,
      onceLookedAt: () => undefined,
    });
    both.note([KEY]);
    both.note([other]);
    expect(keys).toEqual([KEY, other]);
  });

  it('waits until somebody looks, and is asked for once then', async () => {
    isLookedAt = false;
    for (let n = 0; n < 20; n += 1) {
      refresher.note([KEY]);
      await pass(1_000);
    }
    expect(asked).toHaveLength(0);
    isLookedAt = true;
    look?.();
    await pass(60_000);
    expect(asked).toHaveLength(1);
  });

  it('waits for as long as the server wants no question', async () => {
    refusedMs = 5_000;
    refresher.note([KEY]);
    await pass(ANSWER_MS);
    refresher.note([KEY]);
    await pass(4_900);
    expect(asked).toHaveLength(1);
    await pass(5_000);
    expect(asked).toHaveLength(2);
  });

  it('leaves an answer that is of before it outdated, for whoever shows it later', async () => {
    refresher.note([KEY]);
    await pass(ANSWER_MS / 2);
    refresher.note([KEY]);
    outdated = [];
    await pass(ANSWER_MS / 2);
    expect(outdated).toEqual([KEY]);
  });
});

describe('what is of everything', () => {
  const screen = Array.from({ length: AT_ONCE }, (_, n) => `/all/${n}`);
  const SLOWEST_MS = MIN_REFETCH_INTERVAL_MS * 1.5;
  /** Only one question at a time is what the others hold. */
  beforeEach(() => {
    refresher = createRefetchScheduler({
      ask: async (key) => {
        asked.push({ key, at: performance.now() });
        return { hasFailed: false, refusedMs: 0 };
      },
      isMissed: () => false,
      isOfEverything: (key) => key.startsWith('/all/'),
      outdate: () => undefined,
      isLookedAt: () => isLookedAt,
      onceLookedAt: (then) => {
        look = then;
      },
    });
  });

  it('is asked for at once on a screen that rested, and at one pace for all of it while it changes all the time', async () => {
    refresher.note(screen);
    expect(asked).toHaveLength(AT_ONCE);
    const seconds = 120;
    for (let n = 0; n < 10 * seconds; n += 1) {
      refresher.note(screen);
      await pass(100);
    }
    const isInTime = asked.length - AT_ONCE;
    expect(isInTime).toBeLessThanOrEqual((seconds * 1_000) / MIN_REFETCH_INTERVAL_MS);
    expect(isInTime).toBeGreaterThan((seconds * 1_000) / SLOWEST_MS - AT_ONCE);
    for (const key of screen) {
      const times = asked.filter((one) => one.key === key).map(({ at }) => at);
      const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(MIN_REFETCH_INTERVAL_MS);
      expect(Math.max(...pauses)).toBeLessThanOrEqual((AT_ONCE + 1) * SLOWEST_MS);
    }
  });

  it('is not asked for oftener than once in two seconds in half a minute, whatever was asked for at once', async () => {
    for (let run = 0; run < 20; run += 1) {
      await pass(60_000);
      asked = [];
      for (let n = 0; n < 300; n += 1) {
        refresher.note(screen);
        await pass(100);
      }
      expect(asked.length).toBeLessThanOrEqual(30_000 / MIN_REFETCH_INTERVAL_MS);
      expect(asked.length).toBeGreaterThanOrEqual(12);
    }
  });

  it('is asked for at the pace that the server tells, by each browser from a moment of its own on', async () => {
    const minRefetchIntervalMs = 20_000;
    refresher.pace(minRefetchIntervalMs);
    const firsts: number[] = [];
    for (let browser = 0; browser < 20; browser += 1) {
      await pass(10 * minRefetchIntervalMs);
      asked = [];
      const began = performance.now();
      for (let n = 0; n < 100; n += 1) {
        refresher.note(screen);
        await pass(1_000);
      }
      firsts.push((asked[0]?.at ?? Number.NaN) - began);
      expect(asked.length).toBeLessThanOrEqual(100_000 / minRefetchIntervalMs);
      expect(asked.length).toBeGreaterThanOrEqual(100_000 / (minRefetchIntervalMs * 1.2) - 2);
    }
    expect(Math.min(...firsts)).toBeLessThan(minRefetchIntervalMs / 2);
    expect(Math.max(...firsts)).toBeGreaterThan(minRefetchIntervalMs / 2);
    expect(Math.max(...firsts)).toBeLessThanOrEqual(minRefetchIntervalMs);
    // It is quick again as soon as the server says nothing.
    refresher.pace();
    await pass(10 * minRefetchIntervalMs);
    asked = [];
    refresher.note(screen);
    await pass(0);
    expect(asked).toHaveLength(AT_ONCE);
  });

  it('holds up nothing else, and nobody who demands it', async () => {
    refresher.note(screen);
    await pass(100);
    refresher.note(screen);
    asked = [];
    refresher.note([KEY]);
    refresher.refetchNow(screen);
    await pass(ANSWER_MS);
    expect(asked.map(({ key }) => key)).toEqual([KEY, ...screen]);
  });
});

describe('what could not be had', () => {
  it('is asked for again and again, until it comes', async () => {
    hasFailed = true;
    refresher.note([KEY]);
    await pass(AGAIN_MS);
    expect(asked).toHaveLength(1);
    // Half as long again at most, and until that one is answered, too.
    await pass(AGAIN_MS / 2 + 3 * ANSWER_MS);
    expect(asked).toHaveLength(2);
    hasFailed = false;
    await pass(AGAIN_MS * 2);
    expect(asked).toHaveLength(3);
    await pass(10 * AGAIN_MS);
    expect(asked).toHaveLength(3);
  });

  it('is not asked for sooner than the server wants', async () => {
    [hasFailed, refusedMs] = [true, 60_000];
    refresher.note([KEY]);
    await pass(60_000 + AGAIN_MS);
    expect(asked).toHaveLength(1);
    await pass(60_000);
    expect(asked).toHaveLength(2);
  });

  it('is asked for every half minute after some tries, by each browser at its own moments', async () => {
    hasFailed = true;
    refresher.note([KEY]);
    await pass(QUICK_TRIES * (AGAIN_MS * 1.5 + ANSWER_MS) + 40 * SLOW_MS);
    const pauses = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0) - ANSWER_MS);
    const [quick, slow] = [pauses.slice(0, QUICK_TRIES - 1), pauses.slice(QUICK_TRIES - 1)];
    expect(Math.max(...quick)).toBeLessThanOrEqual(AGAIN_MS * 1.5);
    expect(Math.min(...slow)).toBeGreaterThanOrEqual(SLOW_MS);
    expect(Math.max(...slow)).toBeLessThanOrEqual(SLOW_MS * 1.5);
    expect(new Set(slow.map(Math.round)).size).toBeGreaterThan(10);
  });

  it('is asked for again whoever asked for it first, and not sooner than the server wants', async () => {
    refresher.recordFailure(KEY, { hasFailed: true, refusedMs: 60_000 });
    await pass(30_000);
    refresher.note([KEY]);
    await pass(29_000);
    expect(asked).toHaveLength(0);
    await pass(60_000);
    expect(asked).toHaveLength(1);
    refresher.recordFailure(KEY, { hasFailed: true, refusedMs: 0 });
    await pass(AGAIN_MS - 1);
    expect(asked).toHaveLength(1);
    await pass(AGAIN_MS);
    expect(asked).toHaveLength(2);
  });

  it('is not asked for again where somebody else was refused for good, or while a question of its own is under way', async () => {
    refresher.recordFailure(KEY, { hasFailed: false, refusedMs: 0 });
    await pass(10 * AGAIN_MS);
    expect(asked).toHaveLength(0);
    refresher.note([KEY]);
    refresher.recordFailure(KEY, { hasFailed: true, refusedMs: 0 });
    await pass(10 * AGAIN_MS);
    expect(asked).toHaveLength(1);
  });

  it('is left alone once nobody shows it, or somebody else has asked for it', async () => {
    hasFailed = true;
    refresher.note([KEY]);
    await pass(ANSWER_MS);
    isMissed = false;
    await pass(10 * AGAIN_MS);
    expect(asked).toHaveLength(1);
  });

  it('is asked for at once when it changes, and waits where nobody looks', async () => {
    hasFailed = true;
    refresher.note([KEY]);
    await pass(ANSWER_MS + LEAST_PAUSE_MS * 1.5);
    refresher.note([KEY]);
    expect(asked).toHaveLength(2);
    isLookedAt = false;
    await pass(10 * AGAIN_MS);
    expect(asked).toHaveLength(2);
    isLookedAt = true;
    look?.();
    expect(asked).toHaveLength(3);
  });
});

describe('what somebody demands', () => {
  it('is asked for whatever the pace, and whether somebody looks or not', async () => {
    refresher.note([KEY]);
    await pass(ANSWER_MS);
    isLookedAt = false;
    refresher.refetchNow([KEY]);
    expect(asked).toHaveLength(2);
    expect(LEAST_PAUSE_MS).toBeGreaterThan(ANSWER_MS);
  });

  it('is asked for right after the question under way, which is of before', async () => {
    refresher.note([KEY]);
    await pass(ANSWER_MS / 2);
    refresher.refetchNow([KEY]);
    expect(asked).toHaveLength(1);
    await pass(ANSWER_MS / 2);
    expect(asked).toHaveLength(2);
    expect(outdated).toEqual([KEY, KEY, KEY]);
  });
});
