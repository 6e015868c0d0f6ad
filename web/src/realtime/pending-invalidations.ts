/** An update received while a response is in flight, which may or may not include it. */
export type PendingInvalidation<Update> = { update: Update; at: number };

type Deps = {
  isInFlight: (key: string) => boolean;
  /** Resolves when the requests in flight now have finished or failed. */
  settled: (key: string) => Promise<unknown>;
  /** Whether the data was requested after `at` (`Date.now()`), and so includes earlier updates. */
  wasRequestedAfter: (key: string, at: number) => boolean;
};

/** Holds updates of a key until its response arrives, then applies those that it cannot include. */
export function createPendingInvalidations<Update>(
  { isInFlight, settled, wasRequestedAfter }: Deps,
  apply: (key: string, update: readonly Update[]) => void,
) {
  const waiting = new Map<string, PendingInvalidation<Update>[]>();
  const wait = async (key: string) => {
    while (isInFlight(key)) await settled(key);
    const pending = waiting.get(key) ?? [];
    waiting.delete(key);
    const unresolved = pending.filter(({ at }) => !wasRequestedAfter(key, at));
    if (unresolved.length > 0)
      apply(
        key,
        unresolved.map(({ update }) => update),
      );
  };
  return (key: string, update: Update): void => {
    const entry = { update, at: Date.now() };
    const existing = waiting.get(key);
    if (existing) return void existing.push(entry);
    waiting.set(key, [entry]);
    void wait(key);
  };
}
