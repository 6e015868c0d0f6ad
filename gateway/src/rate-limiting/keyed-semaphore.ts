/** A semaphore with a bounded queue per key. */
export type KeyedSemaphore = {
  /** Resolves with a release function; undefined if the queue is full. */
  take(key: string): Promise<(() => void) | undefined>;
};

type Queue = { running: number; waiting: (() => void)[] };

export function createKeyedSemaphore({
  concurrency,
  maxQueued,
}: {
  concurrency: number;
  maxQueued: number;
}): KeyedSemaphore {
  const queues = new Map<string, Queue>();
  return {
    async take(key) {
      const queue = queues.get(key) ?? { running: 0, waiting: [] };
      queues.set(key, queue);
      if (queue.running < concurrency) queue.running += 1;
      else if (queue.waiting.length >= maxQueued) return undefined;
      else await new Promise<void>((resolve) => queue.waiting.push(resolve));
      return () => {
        const next = queue.waiting.shift();
        if (next) return next();
        queue.running -= 1;
        if (queue.running === 0) queues.delete(key);
      };
    },
  };
}
