import { setTimeout as delay } from 'node:timers/promises';

/** An expensive figure is computed at most once per second; a cheap one takes at most a twentieth of the time. */
const MAX_PAUSE_MS = 1_000;
const PAUSE_FACTOR = 20;
const MAX_IDLE_KEYS = 100;

type Figure<T> = { computation: Promise<unknown>; nextComputation?: Promise<T>; pauseUntil: number };

export type SharedFigures<T> = (key: string, compute: () => Promise<T>) => Promise<T>;

/**
 * Callers that arrive while a figure is being computed, or in the pause after that, share the next computation: no one
 * receives a value that is older than their request.
 */
export function createSharedFigures<T>(): SharedFigures<T> {
  const figures = new Map<string, Figure<T>>();

  function start(key: string, compute: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const figure: Figure<T> = { computation: Promise.resolve(), pauseUntil: Number.POSITIVE_INFINITY };
    const result = compute().finally(() => {
      const endedAt = performance.now();
      figure.pauseUntil = endedAt + Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (endedAt - startedAt));
    });
    figure.computation = result.catch(() => undefined);
    figures.set(key, figure);
    return result;
  }

  return (key, compute) => {
    if (figures.size > MAX_IDLE_KEYS) removeIdle(figures);
    const figure = figures.get(key);
    if (!figure || isIdle(figure)) return start(key, compute);
    figure.nextComputation ??= figure.computation
      .then(() => delay(Math.max(0, figure.pauseUntil - performance.now())))
      .then(() => start(key, compute));
    return figure.nextComputation;
  };
}

const isIdle = <T>({ nextComputation, pauseUntil }: Figure<T>) =>
  nextComputation === undefined && pauseUntil <= performance.now();

function removeIdle<T>(figures: Map<string, Figure<T>>): void {
  for (const [key, figure] of figures) if (isIdle(figure)) figures.delete(key);
}
