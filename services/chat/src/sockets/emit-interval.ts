/**
 * Returns a function that waits for the next turn to emit: none if nobody had one within the interval. Those who wait get
 * theirs together, in order. Node and the gateway write what a socket is sent in one turn together, so that a busy
 * conversation costs system calls per interval, not per message.
 */
export function createEmitInterval(intervalMs: number): () => Promise<void> {
  let waiting: (() => void)[] | undefined;
  const startInterval = (): (() => void)[] => {
    setTimeout(startTurn, intervalMs);
    return [];
  };
  const startTurn = () => {
    const resolvers = waiting ?? [];
    waiting = resolvers.length > 0 ? startInterval() : undefined;
    for (const resolve of resolvers) resolve();
  };
  return () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (waiting) waiting.push(resolve);
    else {
      waiting = startInterval();
      resolve();
    }
    return promise;
  };
}
