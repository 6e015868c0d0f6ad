import { useEffect, useState } from 'react';

/** However late a timer is, such as after a machine slept with the page in sight, so soon it is looked at the clock again. */
const LONGEST_LOOK_MS = 30_000;

/**
 * Whether a moment, in milliseconds since 1970, has come, drawn anew when it comes; undefined never does. Timers of a hidden tab are
 * late, and those of a machine that sleeps stand still: so the clock is asked, at least every half minute and whenever somebody looks.
 */
export function useMoment(at: number | undefined): boolean {
  const [passed, setPassed] = useState<number>();
  useEffect(() => {
    if (at === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      const left = at - Date.now();
      if (left <= 0) setPassed(at);
      else timer = setTimeout(look, Math.min(left, LONGEST_LOOK_MS));
    };
    look();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    window.addEventListener('pageshow', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
      window.removeEventListener('pageshow', look);
    };
  }, [at]);
  return at !== undefined && passed === at;
}
