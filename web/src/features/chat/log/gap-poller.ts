import { getRetryAfterMs, isFinal } from '../../../lib/api/api-error.ts';
import { jitter } from '../../../lib/jitter.ts';
import { RETRY_MS } from '../../../realtime/refetch-scheduler.ts';

type Asking = {
  /** Up to where something is missed; null where nothing is. */
  missed: () => number | null;
  /** Asks for it; rejects where it could not be had. */
  ask: () => Promise<unknown>;
};

/**
 * Asks for what is missed, one question at a time, for as long as it is: at once for what came to be missed meanwhile, and after a pause
 * where no answer came, or none that had it. `look` says that something may be missed now.
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
