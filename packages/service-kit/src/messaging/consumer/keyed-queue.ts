type KeyedQueue = {
  /** Runs the work after all earlier work with its key. Work without a key runs exclusively. */
  add(key: string | undefined, work: () => Promise<void>): void;
  /** Resolves once all work has ended. */
  ended(): Promise<void>;
};

/** Runs work sequentially per key. The work must not reject. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<void>>();
  /** The last work without a key; later work waits for it. */
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
