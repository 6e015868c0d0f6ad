import { useEffect, useState } from 'react';

/** However late a timer is, such as after a machine slept with the page in sight, so soon it is looked at the clock again. */
const MAX_CHECK_INTERVAL_MS = 30_000;

/**
 * Whether a moment, in milliseconds since 1970, has come, drawn anew when it comes; undefined never does. Timers of a hidden tab are
 * late, and those of a machine that sleeps stand still: so the clock is asked, at least every half minute and whenever somebody looks.
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
