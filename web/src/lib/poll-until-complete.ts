import { getRetryAfterMs, isFinal } from './api/api-error.ts';
import { jitter } from './delays.ts';

const RETRY_MS = 10_000;

type CatchUpPollerParams = {
  /** Identifies what is missing; null if nothing is. A different value means that the request did not cover it. */
  getMissing: () => number | null;
  fetchMissing: () => Promise<unknown>;
};

/** Sends another request immediately if more is missing, and after a delay if a request failed or did not suffice. */
export function createCatchUpPoller({ getMissing, fetchMissing }: CatchUpPollerParams): {
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
      () => checkAgain(missing, RETRY_MS),
      (error: unknown) => {
        if (!isFinal(error)) return checkAgain(null, Math.max(RETRY_MS, getRetryAfterMs(error) ?? 0));
        isInFlight = false;
      },
    );
  };
  const checkAgain = (requested: number | null, delayMs: number) => {
    isInFlight = false;
    const missing = getMissing();
    if (isStopped || missing === null) return;
    if (requested !== null && missing !== requested) return check();
    timer = setTimeout(() => {
      timer = undefined;
      check();
    }, jitter(delayMs));
  };
  return {
    check,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
