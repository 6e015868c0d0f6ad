import { useSyncExternalStore } from 'react';
import { type Day, dayOfDate } from '../day.ts';

const MINUTE_MS = 60_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

const minute = () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

function tick(): void {
  clearTimeout(timer);
  timer = setTimeout(tick, MINUTE_MS - (Date.now() % MINUTE_MS));
  for (const listener of listeners) listener();
}

// Timers are late in a hidden tab and after sleep.
const onVisible = () => document.visibilityState === 'visible' && tick();

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    document.addEventListener('visibilitychange', onVisible);
    tick();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

/**
 * The start of the current minute, in milliseconds since 1970; re-renders every minute. All subscribers share a timer.
 */
export function useNow(): number {
  return useSyncExternalStore(subscribe, minute);
}

const today = () => dayOfDate(new Date());

/** The current local day; re-renders at midnight. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, today);
}
