import type { Logger } from '../observability/logger.ts';

const REPORT_INTERVAL_MS = 60_000;

export type PollingLoop = {
  /** Runs a round now; calls during a round are coalesced into one more. */
  wake(): void;
  close(): Promise<void>;
};

type Options = {
  /** Name in log lines. */
  name: string;
  intervalMs: number;
  retryDelayMs?: number;
  /** Returns whether there may be more work, which starts another round immediately. */
  round: () => Promise<boolean>;
  /** Whether a failure is logged elsewhere and needs no warning here. */
  isReportedElsewhere?: (error: unknown) => boolean;
  log: Logger;
};

/** Runs a round at once, when woken, and at the interval. A failed round is retried after `retryDelayMs`. */
export function startPollingLoop({
  name,
  intervalMs,
  retryDelayMs = intervalMs,
  round,
  isReportedElsewhere,
  log,
}: Options): PollingLoop {
  const wakeSignal = createWakeSignal();
  let isClosed = false;
  let lastReportedAt = Number.NEGATIVE_INFINITY;

  /** Returns the delay after a round, in milliseconds. */
  const attempt = async (): Promise<number> => {
    try {
      const hasMore = await round();
      lastReportedAt = Number.NEGATIVE_INFINITY;
      return hasMore ? 0 : intervalMs;
    } catch (error) {
      // An outage is logged once a minute rather than once a round.
      const isSuppressed =
        performance.now() - lastReportedAt < REPORT_INTERVAL_MS || isClosed || isReportedElsewhere?.(error) === true;
      if (!isSuppressed) lastReportedAt = performance.now();
      log[isSuppressed ? 'debug' : 'warn']({ err: error, loop: name }, 'Polling round failed; retrying');
      return retryDelayMs;
    }
  };
  const run = async () => {
    while (!isClosed) {
      const delayMs = await attempt();
      if (delayMs > 0 && !isClosed) await wakeSignal.wait(delayMs);
    }
  };
  const rounds = run();
  return {
    wake: wakeSignal.set,
    async close() {
      isClosed = true;
      wakeSignal.set();
      await rounds;
    },
  };
}

/** Creates a flag to wait for. If it is set while no one waits, the next wait ends immediately. */
function createWakeSignal() {
  let isSet = false;
  let release: (() => void) | undefined;
  return {
    set() {
      isSet = true;
      release?.();
    },
    async wait(timeoutMs: number) {
      if (!isSet) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isSet = false;
      release = undefined;
    },
  };
}
