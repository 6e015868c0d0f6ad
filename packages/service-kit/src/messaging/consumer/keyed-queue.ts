/** Work in order for each key, and side by side over keys. */
export type KeyedQueue = {
  /** Runs the work after all that was added before it under its key. Without a key nothing is known of it, so it runs by itself. */
  add(key: string | undefined, work: () => Promise<void>): void;
  /** Resolves once everything that was added has ended. */
  ended(): Promise<void>;
};

/** Chains in memory. The work itself must not reject. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<void>>();
  /** The last work without a key, before which nothing that came later begins. */
  let barrier: Promise<unknown> = Promise.resolve();

  return {
    add(key, work) {
      if (key === undefined) {
        barrier = Promise.all([barrier, ...tails.values()]).then(work);
        tails.clear();
        return;
      }
      const tail = Promise.all([barrier, tails.get(key)])
        .then(work)
        .then(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
      tails.set(key, tail);
    },
    async ended() {
      await Promise.all([barrier, ...tails.values()]);
    },
  };
}
