export type InFlightLimiter = {
  acquire(key: string, maxCount: number): boolean;
  release(key: string): void;
};

export function createInFlightLimiter(): InFlightLimiter {
  const counts = new Map<string, number>();
  return {
    acquire(key, maxCount) {
      const count = counts.get(key) ?? 0;
      if (count >= maxCount) return false;
      counts.set(key, count + 1);
      return true;
    },
    release(key) {
      const count = (counts.get(key) ?? 0) - 1;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
}

export type Semaphore = {
  /** Rejects with the reason of `signal` if it aborts before there is capacity. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  waitingCount(): number;
  isIdle(): boolean;
};

export function createSemaphore(concurrency: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = concurrency;

  const waitForTurn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal?.reason);
      };
      waiting.push(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });

  return {
    async run(work, signal) {
      signal?.throwIfAborted();
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
    waitingCount: () => waiting.length,
    isIdle: () => free === concurrency,
  };
}
