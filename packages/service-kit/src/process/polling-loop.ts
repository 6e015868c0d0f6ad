import type { Logger } from '../observability/logger.ts';

const REPORT_INTERVAL_MS = 60_000;

/** Work that goes on in the background for as long as a process lives. */
export type PollingLoop = {
  /** Runs a round now; calls that come during a round are folded into one more. */
  wake(): void;
  /** Ends after the round that is under way. */
  close(): Promise<void>;
};

type Options = {
  /** What the log calls it. */
  what: string;
  /** The longest rest between two rounds, in milliseconds. */
  intervalMs: number;
  /** The rest after a round that failed, where it is another. */
  retryDelayMs?: number;
  /** One round of work; answers whether there may be more to do at once. */
  round: () => Promise<boolean>;
  /** A failure that something else has told already, and that needs no line of its own. */
  isReportedElsewhere?: (error: unknown) => boolean;
  log: Logger;
};

/** Works in rounds, one at a time: at once when woken, else every so often. A round that fails is tried again at the next. */
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

  /** How long to rest after a round. */
  const attempt = async (): Promise<number> => {
    try {
      const more = await round();
      lastReportedAt = Number.NEGATIVE_INFINITY;
      return more ? 0 : intervalMs;
    } catch (error) {
      // An outage is told once a minute, not once a round.
      const isQuiet =
        performance.now() - lastReportedAt < REPORT_INTERVAL_MS || closed || isReportedElsewhere?.(error) === true;
      if (!isQuiet) lastReportedAt = performance.now();
      log[isQuiet ? 'debug' : 'warn']({ err: error }, `${what}: a round failed, trying again until it works`);
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

/** A flag that can be waited for: set while nobody waits, it ends the next wait at once. */
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
