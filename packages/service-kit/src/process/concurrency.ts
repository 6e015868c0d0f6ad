export type InFlightLimiter = {
  /** Returns false if `maxCount` are already in flight for the key. */
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
  /** Rejects with the reason of `signal` if it aborts before a slot is free. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  waitingCount(): number;
  isIdle(): boolean;
};

export function createSemaphore(concurrency: number): Semaphore {
  const waitingStarts: (() => void)[] = [];
  let freeSlots = concurrency;

  const waitForTurn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', cancel);
        resolve();
      };
      const cancel = () => {
        waitingStarts.splice(waitingStarts.indexOf(start), 1);
        reject(signal?.reason);
      };
      waitingStarts.push(start);
      signal?.addEventListener('abort', cancel, { once: true });
    });

  return {
    async run(work, signal) {
      signal?.throwIfAborted();
      if (freeSlots > 0) freeSlots -= 1;
      else await waitForTurn(signal);
      try {
        return await work();
      } finally {
        const next = waitingStarts.shift();
        if (next) next();
        else freeSlots += 1;
      }
    },
    waitingCount: () => waitingStarts.length,
    isIdle: () => freeSlots === concurrency,
  };
}

export type KeyedSemaphore = {
  /** Waits like `Semaphore`, but only for work with the same key. */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  waitingCount(key: string): number;
};

/** `concurrency` applies to each key. */
export function createKeyedSemaphore(concurrency: number): KeyedSemaphore {
  const semaphores = new Map<string, Semaphore>();
  return {
    async run(key, work, signal) {
      const semaphore = semaphores.get(key) ?? createSemaphore(concurrency);
      semaphores.set(key, semaphore);
      try {
        return await semaphore.run(work, signal);
      } finally {
        if (semaphore.isIdle() && semaphores.get(key) === semaphore) semaphores.delete(key);
      }
    },
    waitingCount: (key) => semaphores.get(key)?.waitingCount() ?? 0,
  };
}
