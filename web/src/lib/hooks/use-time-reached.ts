import { useEffect, useState } from 'react';

/** Bounds the delay after a timer was suspended, such as by sleep. */
const MAX_CHECK_INTERVAL_MS = 30_000;

/**
 * Whether a time, in milliseconds since 1970, has been reached; undefined never is. Timers are late in hidden tabs and
 * stop during sleep, so the clock is also checked periodically and on focus.
 */
export function useTimeReached(at: number | undefined): boolean {
  const [passed, setPassed] = useState<number>();
  useEffect(() => {
    if (at === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = () => {
      clearTimeout(timer);
      const left = at - Date.now();
      if (left <= 0) setPassed(at);
      else timer = setTimeout(check, Math.min(left, MAX_CHECK_INTERVAL_MS));
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
  return at !== undefined && passed === at;
}
