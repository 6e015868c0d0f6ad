import { getRetryAfterMs, isFinal } from '#lib/api/api-error.ts';
import { jitter } from '#lib/jitter.ts';
import { RETRY_MS } from '#realtime/refetch-scheduler.ts';

type GapPollerParams = {
  /** The end of the gap; null if there is none. */
  getMissing: () => number | null;
  /** Fetches it; rejects on failure. */
  fetchMissing: () => Promise<unknown>;
};

/**
 * Fetches missing data one request at a time until the gap closes: immediately if a new gap appeared, and after a delay if a request
 * failed or did not close it. Call `check` when there may be a gap.
 */
export function createGapPoller({ getMissing, fetchMissing }: GapPollerParams): {
  check: () => void;
  stop: () => void;
} {
  let isInFlight = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    const missing = getMissing();
    if (isStopped || isInFlight || timer !== undefined || missing === null) return;
    isInFlight = true;
    fetchMissing().then(
      () => after(missing, RETRY_MS),
      (error: unknown) => {
        if (!isFinal(error)) return after(null, Math.max(RETRY_MS, getRetryAfterMs(error) ?? 0));
        isInFlight = false;
      },
    );
  };
  const after = (requested: number | null, ms: number) => {
    isInFlight = false;
    const missing = getMissing();
    if (isStopped || missing === null) return;
    if (requested !== null && missing !== requested) return check();
    timer = setTimeout(() => {
      timer = undefined;
      check();
    }, jitter(ms));
  };
  return {
    check,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
