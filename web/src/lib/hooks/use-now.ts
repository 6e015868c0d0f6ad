import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Day, dayOfDate } from '../time/day.ts';

const MINUTE_MS = 60_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

const currentMinute = () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

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

export function useNow(): number {
  return useSyncExternalStore(subscribe, currentMinute);
}

const today = () => dayOfDate(new Date());

export function useToday(): Day {
  return useSyncExternalStore(subscribe, today);
}

/** Bounds the delay after a timer was suspended, for example during sleep. */
const MAX_CHECK_INTERVAL_MS = 30_000;

/** Timers are late in hidden tabs and stop during sleep, so the clock is also checked periodically and on focus. */
export function useTimeReached(at: number | undefined): boolean {
  const [reachedTime, setReachedTime] = useState<number>();
  useEffect(() => {
    if (at === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = () => {
      clearTimeout(timer);
      const remainingMs = at - Date.now();
      if (remainingMs <= 0) setReachedTime(at);
      else timer = setTimeout(check, Math.min(remainingMs, MAX_CHECK_INTERVAL_MS));
    };
    check();
    document.addEventListener('visibilitychange', check);
    window.addEventListener('focus', check);
    window.addEventListener('pageshow', check);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', check);
      window.removeEventListener('focus', check);
      window.removeEventListener('pageshow', check);
    };
  }, [at]);
  return at !== undefined && reachedTime === at;
}
