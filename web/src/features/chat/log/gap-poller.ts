import { getRetryAfterMs, isFinal } from '../../../lib/api/api-error.ts';
import { jitter } from '../../../lib/jitter.ts';
import { RETRY_MS } from '../../../realtime/refetch-scheduler.ts';

type Asking = {
  /** The end of the gap; null if there is none. */
  missed: () => number | null;
  /** Fetches it; rejects on failure. */
  ask: () => Promise<unknown>;
};

/**
 * Fetches missing data one request at a time until the gap closes: immediately if a new gap appeared, and after a delay if a request
 * failed or did not close it. Call `look` when there may be a gap.
 */
export function keepAsking({ missed, ask }: Asking): { look: () => void; stop: () => void } {
  let isAsking = false;
  let isStopped = false;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    const wanted = missed();
    if (isStopped || isAsking || pause !== undefined || wanted === null) return;
    isAsking = true;
    ask().then(
      () => after(wanted, RETRY_MS),
      (error: unknown) => {
        if (!isFinal(error)) return after(null, Math.max(RETRY_MS, getRetryAfterMs(error) ?? 0));
        isAsking = false;
      },
    );
  };
  const after = (had: number | null, ms: number) => {
    isAsking = false;
    const wanted = missed();
    if (isStopped || wanted === null) return;
    if (had !== null && wanted !== had) return look();
    pause = setTimeout(() => {
      pause = undefined;
      look();
    }, jitter(ms));
  };
  return {
    look,
    stop() {
      isStopped = true;
      clearTimeout(pause);
    },
  };
}
