import { MIN_REFETCH_INTERVAL_MS } from '@atrium/proto-events/topics';
import { isFinal, retryAfterOf } from '../lib/api/api-error.ts';
import { jitter, SPREAD } from '../lib/jitter.ts';
import { QUICK_TRIES, SLOW_MS } from './retry-delay.ts';

/** Asks again for what keys hold, each key by itself. */
export type Refresher = {
  /** Says that what these keys hold may have changed. Asks at the pace of their answers, and only while somebody looks. */
  note(keys: Iterable<string>): void;
  /** The same for somebody who has just changed it: at once, or right after the question that is under way. */
  refetchNow(keys: Iterable<string>): void;
  /** Says that a question of somebody else for what the key holds has failed: it is asked for again like one that failed here. */
  recordFailure(key: string, outcome: Outcome): void;
  /** What the server last said of how long to leave between two questions for what is of everything; nothing where it said nothing. */
  pace(minRefetchIntervalMs?: number): void;
};

/** What became of a question: whether it failed by something that may pass, and for how many milliseconds the server wants no other. */
export type Outcome = { hasFailed: boolean; refusedMs: number };

export const outcomeOf = (error: unknown): Outcome => ({
  hasFailed: error !== undefined && !isFinal(error),
  refusedMs: retryAfterOf(error) ?? 0,
});

export type RefresherPorts = {
  /** Asks for what the key holds and shows the answer; never rejects. */
  ask: (key: string) => Promise<Outcome>;
  /** Whether somebody shows what the key holds while no answer of after the last change has come, by this question or another. */
  isMissed: (key: string) => boolean;
  /** Says that what is held under the key is of before a change, until an answer to a later question comes. */
  outdate: (key: string) => void;
  /** Whether the key is of everything in the workspace: the audience is everybody then, and the pace slower. */
  isOfEverything: (key: string) => boolean;
  /** Whether somebody looks, and a call for the next time that somebody does. */
  isLookedAt: () => boolean;
  onceLookedAt: (then: () => void) => void;
};

/** What changes all the time is asked for no oftener than this. */
export const LEAST_PAUSE_MS = 250;
/** After a rest so many of what is of everything are asked for at once: what is on one screen. Unless too many browsers would do so together. */
export const AT_ONCE = 3;
/**
 * Where answers are slow, the pause until the next question is so many times as long: whoever asks faster makes them slower. A second
 * change soon after the first is no such case yet.
 */
export const PAUSE_PER_ANSWER = 5;
/** What could not be had is asked for again after so long, once SWR's own second try has had its time, and calmly after some tries. */
export const AGAIN_MS = 10_000;
/** Of what was asked for at once, so much less is ahead of its time with each question that follows: in half a minute all of it is paid back. */
const STAYS_AHEAD = 0.85;
/** A screen has two or three keys of everything: with a wider one they would stand for more than five seconds. */
const SPREAD_OF_TURNS = 0.2;

type Task = {
  isAsking: boolean;
  /** Something changed since the last question. */
  isOutdated: boolean;
  /** How many questions in a row have failed. */
  failures: number;
  /** The last question had to wait for its turn: this changes all the time. */
  isPaced: boolean;
  /** Since when, by `performance.now()`, the next may be asked: for nobody in particular, and on demand. */
  next: { noted: number; demanded: number };
  /** When it is its turn among those of everything; undefined while it waits for none. */
  turn: number | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Somebody wants the next question at once. */
  isDemanded: boolean;
};

const newTask = (): Task => ({
  isAsking: false,
  isOutdated: false,
  failures: 0,
  isPaced: false,
  next: { noted: 0, demanded: 0 },
  turn: undefined,
  timer: undefined,
  isDemanded: false,
});

/**
 * Gives turns away, each a moment by `performance.now()`: some at once, the others one after the other. Where the server asks for more time
 * than usual, it is told by many browsers at once, and the first turn after a rest comes at any moment of it.
 */
function createRefetchBudget(minRefetchIntervalMs: () => number) {
  let full = Number.NEGATIVE_INFINITY;
  let ahead = 0;
  const take = (soonest: number): number => {
    const [now, every] = [performance.now(), minRefetchIntervalMs()];
    const isCrowded = every > MIN_REFETCH_INTERVAL_MS;
    const hasRested = full <= now;
    const atOnce = isCrowded ? 1 : AT_ONCE;
    const first = isCrowded && hasRested ? now + Math.random() * every : now;
    const most = (atOnce - 1) * every * (1 + SPREAD_OF_TURNS);
    ahead = hasRested ? most : Math.min(ahead, most);
    if (full - ahead > now) ahead *= STAYS_AHEAD;
    const turn = Math.max(first, soonest, full - ahead);
    full = Math.max(full, turn) + jitter(every, SPREAD_OF_TURNS);
    return turn;
  };
  /** After a crowd has gone nobody waits as long as in it. */
  const shorten = () => {
    full = Math.min(full, performance.now() + minRefetchIntervalMs());
  };
  return { take, shorten };
}

/**
 * One question under way for each key and at most one more after it, so that every answer that arrives is shown, however much changes
 * meanwhile. The pause between two follows how long the last one took.
 */
export function createRefetchScheduler(ports: RefresherPorts): Refresher {
  const { ask, isMissed, outdate, isOfEverything, isLookedAt, onceLookedAt } = ports;
  const tasks = new Map<string, Task>();
  let minRefetchIntervalMs = MIN_REFETCH_INTERVAL_MS;
  const turns = createRefetchBudget(() => minRefetchIntervalMs);
  let isWaitingForEyes = false;

  const run = async (key: string, task: Task) => {
    clearTimeout(task.timer);
    task.isAsking = true;
    task.isOutdated = false;
    task.turn = undefined;
    task.isDemanded = false;
    const began = performance.now();
    const { hasFailed, refusedMs } = await ask(key);
    const ended = performance.now();
    const least = isOfEverything(key) ? minRefetchIntervalMs : LEAST_PAUSE_MS;
    const pause = Math.max(least, task.isPaced ? PAUSE_PER_ANSWER * (ended - began) : 0);
    task.isAsking = false;
    task.isPaced = false;
    task.failures = hasFailed ? task.failures + 1 : 0;
    task.next = {
      noted: ended + jitter(Math.max(pause, refusedMs)),
      demanded: ended + refusedMs,
    };
    if (task.isOutdated) {
      // What has just come may be of before that change.
      outdate(key);
      schedule(key, task);
    } else if (hasFailed) retryLater(key, task, refusedMs);
    else task.timer = setTimeout(() => tasks.delete(key), task.next.noted - ended);
  };
  const retryLater = (key: string, task: Task, refusedMs: number) => {
    clearTimeout(task.timer);
    const pause = task.failures < QUICK_TRIES ? AGAIN_MS : SLOW_MS;
    task.timer = setTimeout(() => retry(key, task), refusedMs * (1 + SPREAD) + jitter(pause));
  };
  const retry = (key: string, task: Task) => {
    if (!isMissed(key)) return void tasks.delete(key);
    task.isOutdated = true;
    schedule(key, task);
  };
  const schedule = (key: string, task: Task) => {
    if (task.isAsking) return;
    clearTimeout(task.timer);
    const { isDemanded, next } = task;
    if (!isDemanded && !isLookedAt()) return waitUntilVisible();
    if (!isDemanded && isOfEverything(key)) task.turn ??= turns.take(next.noted);
    const wait = (isDemanded ? next.demanded : (task.turn ?? next.noted)) - performance.now();
    if (wait <= 0) return void run(key, task);
    task.isPaced = true;
    task.timer = setTimeout(() => schedule(key, task), wait);
  };
  const waitUntilVisible = () => {
    if (isWaitingForEyes) return;
    isWaitingForEyes = true;
    onceLookedAt(() => {
      isWaitingForEyes = false;
      for (const [key, task] of tasks) if (task.isOutdated) schedule(key, task);
    });
  };
  const taskOf = (key: string): Task => {
    const task = tasks.get(key) ?? newTask();
    tasks.set(key, task);
    return task;
  };
  const begin = (key: string, isDemanded: boolean) => {
    const task = taskOf(key);
    task.isOutdated = true;
    task.isDemanded ||= isDemanded;
    outdate(key);
    schedule(key, task);
  };
  return {
    pace(told = 0) {
      const before = minRefetchIntervalMs;
      minRefetchIntervalMs = Math.max(MIN_REFETCH_INTERVAL_MS, told);
      if (minRefetchIntervalMs < before) turns.shorten();
    },
    note(keys) {
      for (const key of keys) begin(key, false);
    },
    refetchNow(keys) {
      for (const key of keys) begin(key, true);
    },
    recordFailure(key, { hasFailed, refusedMs }) {
      if (!hasFailed) return;
      const task = taskOf(key);
      const { noted, demanded } = task.next;
      const now = performance.now();
      task.next = { noted: Math.max(noted, now + jitter(refusedMs)), demanded: Math.max(demanded, now + refusedMs) };
      // A question of its own tells by itself what becomes of it, or is about to be asked.
      if (!task.isAsking && !task.isOutdated) retryLater(key, task, refusedMs);
    },
  };
}
