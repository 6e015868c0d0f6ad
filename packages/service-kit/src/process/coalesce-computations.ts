import { setTimeout as delay } from 'node:timers/promises';

/** After a computation, waits 20 times its duration, at most one second: cheap ones use at most 5 % of the time. */
const MAX_PAUSE_MS = 1_000;
const PAUSE_FACTOR = 20;
const MAX_IDLE_KEYS = 100;

type Computation<T> = { settled: Promise<unknown>; next?: Promise<T>; pauseUntil: number };

export type Coalescer<T> = (key: string, compute: () => Promise<T>) => Promise<T>;

/**
 * Callers that arrive during a computation of the same key, or in the pause after it, share the next one: no one receives
 * a value that is older than their request.
 */
export function createCoalescer<T>(): Coalescer<T> {
  const computations = new Map<string, Computation<T>>();

  function start(key: string, compute: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const current: Computation<T> = { settled: Promise.resolve(), pauseUntil: Number.POSITIVE_INFINITY };
    const result = compute().finally(() => {
      const endedAt = performance.now();
      current.pauseUntil = endedAt + Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (endedAt - startedAt));
    });
    current.settled = result.catch(() => undefined);
    computations.set(key, current);
    return result;
  }

  return (key, compute) => {
    if (computations.size > MAX_IDLE_KEYS) removeIdle(computations);
    const current = computations.get(key);
    if (!current || isIdle(current)) return start(key, compute);
    current.next ??= current.settled
      .then(() => delay(Math.max(0, current.pauseUntil - performance.now())))
      .then(() => start(key, compute));
    return current.next;
  };
}

const isIdle = <T>({ next, pauseUntil }: Computation<T>) => next === undefined && pauseUntil <= performance.now();

function removeIdle<T>(computations: Map<string, Computation<T>>): void {
  for (const [key, computation] of computations) if (isIdle(computation)) computations.delete(key);
}
