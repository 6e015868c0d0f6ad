import { AppError } from '@atrium/service-kit/app-error';
import type { Logger } from '@atrium/service-kit/logger';

export type Loop = {
  /** Runs a round now; calls that come during a round are folded into one more. */
  wake(): void;
  /** Ends after the round that is under way. */
  close(): Promise<void>;
};

type Options = {
  what: string;
  everyMs: number;
  /** One round of work; answers whether there may be more to do at once. */
  round: () => Promise<boolean>;
  log: Logger;
};

/** Works in rounds, one at a time: at once when woken, else every so often. A round that fails is tried again at the next. */
export function startLoop({ what, everyMs, round, log }: Options): Loop {
  let closed = false;
  let raised = false;
  let release: (() => void) | undefined;

  const rest = async () => {
    if (!raised && !closed) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs);
        release = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    raised = false;
    release = undefined;
  };
  let failures = 0;
  const attempt = async () => {
    try {
      const more = await round();
      failures = 0;
      return more;
    } catch (error) {
      failures += 1;
      // An outage of the store is told by the store; any other failure once, not once a round.
      const isTold = failures > 1 || closed || (error instanceof AppError && error.code === 'unavailable');
      log[isTold ? 'debug' : 'warn']({ err: error }, `${what}: a round failed, trying again until it works`);
      return false;
    }
  };
  const run = async () => {
    while (!closed) if (!(await attempt())) await rest();
  };
  const running = run();
  return {
    wake() {
      raised = true;
      release?.();
    },
    async close() {
      closed = true;
      release?.();
      await running;
    },
  };
}
