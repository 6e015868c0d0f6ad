import type { Logger } from '../observability/logger.ts';

const REPORT_INTERVAL_MS = 60_000;

export type PollingLoop = {
  /** Runs a round now; calls during a round are coalesced into one more. */
  wake(): void;
  close(): Promise<void>;
};

type Options = {
  what: string;
  intervalMs: number;
  retryDelayMs?: number;
  /** Returns whether there may be more immediately. */
  round: () => Promise<boolean>;
  /** Whether a failure is logged elsewhere and needs no warning here. */
  isReportedElsewhere?: (error: unknown) => boolean;
  log: Logger;
};

/** Immediately when woken, otherwise at the interval. A failed round is retried at the next one. */
export function startPollingLoop({
  what,
  intervalMs,
  retryDelayMs = intervalMs,
  round,
  isReportedElsewhere,
  log,
}: Options): PollingLoop {
  const signal = createSignal();
  let closed = false;
  let lastReportedAt = Number.NEGATIVE_INFINITY;

  /** Returns the delay after a round, in milliseconds. */
  const attempt = async (): Promise<number> => {
    try {
      const more = await round();
      lastReportedAt = Number.NEGATIVE_INFINITY;
      return more ? 0 : intervalMs;
    } catch (error) {
      // An outage is logged once a minute rather than once a round.
      const isQuiet =
        performance.now() - lastReportedAt < REPORT_INTERVAL_MS || closed || isReportedElsewhere?.(error) === true;
      if (!isQuiet) lastReportedAt = performance.now();
      log[isQuiet ? 'debug' : 'warn']({ err: error, loop: what }, 'Polling round failed; retrying');
      return retryDelayMs;
    }
  };
  const run = async () => {
    while (!closed) {
      const rest = await attempt();
      if (rest > 0 && !closed) await signal.wait(rest);
    }
  };
  const running = run();
  return {
    wake: signal.set,
    async close() {
      closed = true;
      signal.set();
      await running;
    },
  };
}

/** A flag to wait for: if set while no one waits, it ends the next wait immediately. */
function createSignal() {
  let raised = false;
  let release: (() => void) | undefined;
  return {
    set() {
      raised = true;
      release?.();
    },
    async wait(timeoutMs: number) {
      if (!raised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      raised = false;
      release = undefined;
    },
  };
}
