/** Limits concurrency; waiting work runs in order of arrival. */
export type Semaphore = {
  /** Runs `work` when there is capacity; rejects with the reason of `signal` if that aborts before. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
};

export function createSemaphore(concurrency: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = concurrency;

  const waitForTurn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      waiting.push(begin);
      signal.addEventListener('abort', leave, { once: true });
    });

  return {
    async run(signal, work) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await waitForTurn(signal);
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
