import { expect } from '@jest/globals';
import { QueryCache } from '../src/lib/query/query-cache.ts';
import { refetchStale } from '../src/lib/query/refetch-stale.ts';

export const KEY = '/projects?limit=6';
/** The maximum factor of a delay with jitter. */
export const MAX_JITTER = 1.5;

/** Runs `refetchStale` with an observed key, a server, and fake timers. */
export function startStaleRefetch() {
  const cache = new QueryCache();
  cache.observe(KEY);
  const requests: { key: string; at: number }[] = [];
  const inFlight = new Set<string>();
  const server: { responseMs: number; error: Error | undefined } = { responseMs: 100, error: undefined };
  const page: { isVisible: boolean; show: () => void } = { isVisible: true, show: () => undefined };

  /** Requests observed keys, as SWR does. */
  async function request(key: string): Promise<void> {
    if (!cache.isObserved(key)) return;
    requests.push({ key, at: performance.now() });
    expect(inFlight).not.toContain(key);
    inFlight.add(key);
    const { succeed, fail } = cache.startRequest(key);
    await new Promise((resolve) => setTimeout(resolve, server.responseMs));
    inFlight.delete(key);
    const { error } = server;
    if (error === undefined) cache.set(key, { data: succeed('response') });
    else {
      fail(error);
      cache.set(key, { error });
      throw error;
    }
  }
  const staleRefetch = refetchStale({
    cache,
    revalidate: request,
    isVisible: () => page.isVisible,
    onceVisible: (callback) => {
      page.show = () => {
        page.isVisible = true;
        callback();
      };
    },
  });
  /** Milliseconds between each response and the next request. */
  const pauses = () => requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0) - server.responseMs);
  return { cache, requests, server, page, pauses, ...staleRefetch };
}
