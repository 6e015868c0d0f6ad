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

// Timers of a hidden tab, or of a machine that slept, are late.
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

/** The minute that it is, in milliseconds since 1970: whoever shows something that time changes draws it anew by this. One timer serves all. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, minute);
}

const today = () => dayOfDate(new Date());

/** The day that it is here: what is due by the day is drawn anew when the next one begins. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, today);
}
