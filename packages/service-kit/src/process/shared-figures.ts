import { setTimeout as delay } from 'node:timers/promises';

/** An expensive figure is computed at most once per second; a cheap one takes at most a twentieth of the time. */
const MAX_PAUSE_MS = 1_000;
const PAUSE_FACTOR = 20;
const MAX_IDLE_KEYS = 100;

type Figure<T> = { running: Promise<unknown>; next?: Promise<T>; restUntil: number };

export type SharedFigures<T> = (key: string, compute: () => Promise<T>) => Promise<T>;

/**
 * Callers that arrive while a figure is being computed, or in the pause after that, share the next computation: no one
 * receives a value that is older than their request.
 */
export function createSharedFigures<T>(): SharedFigures<T> {
  const figures = new Map<string, Figure<T>>();

  function start(key: string, compute: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const figure: Figure<T> = { running: Promise.resolve(), restUntil: Number.POSITIVE_INFINITY };
    const result = compute().finally(() => {
      const endedAt = performance.now();
      figure.restUntil = endedAt + Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (endedAt - startedAt));
    });
    figure.running = result.catch(() => undefined);
    figures.set(key, figure);
    return result;
  }

  return (key, compute) => {
    if (figures.size > MAX_IDLE_KEYS) removeIdle(figures);
    const figure = figures.get(key);
    if (!figure || isRested(figure)) return start(key, compute);
    figure.next ??= figure.running
      .then(() => delay(Math.max(0, figure.restUntil - performance.now())))
      .then(() => start(key, compute));
    return figure.next;
  };
}

const isRested = <T>({ next, restUntil }: Figure<T>) => next === undefined && restUntil <= performance.now();

function removeIdle<T>(figures: Map<string, Figure<T>>): void {
  for (const [key, figure] of figures) if (isRested(figure)) figures.delete(key);
}
