import type { Page, Request } from 'playwright-core';

/** Answers that call without a word, which our own server never does; whoever fails has the default of the action to show. */
export async function wordless(where: Page, method: string, path: RegExp, act: () => Promise<void>): Promise<void> {
  const silent = { status: 500, contentType: 'application/json', body: '{}' };
  await where.route(path, (route) => (route.request().method() === method ? route.fulfill(silent) : route.fallback()));
  await act();
  await where.unroute(path);
}

/** Holds the next answer of that call back until all is seen. */
export async function held(where: Page, path: RegExp, act: () => Promise<void>): Promise<void> {
  const { promise: seen, resolve: letGo } = Promise.withResolvers<void>();
  await where.route(path, (route) => seen.then(() => route.continue()), { times: 1 });
  await act();
  letGo();
}

/** Holds every answer of those reads back until all is seen; resolves once as many as were asked for by then have come. */
export async function allHeld(where: Page, path: RegExp, act: () => Promise<void>): Promise<void> {
  const { promise: seen, resolve: letGo } = Promise.withResolvers<void>();
  const waiting = new Set<Request>();
  await where.route(path, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    waiting.add(route.request());
    await seen;
    return route.continue();
  });
  await act();
  const come = [...waiting].map((request) => request.response());
  letGo();
  await Promise.all(come);
}

/** Counts from now on how often a call failed. */
export function countFailures(where: Page, path: string | RegExp): () => number {
  let count = 0;
  where.on('response', (response) => {
    const url = response.url();
    const isIt = typeof path === 'string' ? url.includes(path) : path.test(url);
    if (isIt && response.status() >= 500) count += 1;
  });
  return () => count;
}
