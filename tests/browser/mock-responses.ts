import type { Page, Request } from 'playwright-core';

/** Answers the request with an error without a message, which the real server never sends, so that the UI shows its default text. */
export async function failWithoutMessage(
  where: Page,
  method: string,
  path: RegExp,
  act: () => Promise<void>,
): Promise<void> {
  const silent = { status: 500, contentType: 'application/json', body: '{}' };
  await where.route(path, (route) => (route.request().method() === method ? route.fulfill(silent) : route.fallback()));
  await act();
  await where.unroute(path);
}

/** Delays the next response to the request until `act` has finished. */
export async function delayResponse(where: Page, path: RegExp, act: () => Promise<void>): Promise<void> {
  const { promise: seen, resolve: release } = Promise.withResolvers<void>();
  await where.route(path, (route) => seen.then(() => route.continue()), { times: 1 });
  await act();
  release();
}

/** Delays all responses to these reads until `act` has finished; resolves once those requested by then have arrived. */
export async function delayResponses(where: Page, path: RegExp, act: () => Promise<void>): Promise<void> {
  const { promise: seen, resolve: release } = Promise.withResolvers<void>();
  const waiting = new Set<Request>();
  await where.route(path, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    waiting.add(route.request());
    await seen;
    return route.continue();
  });
  await act();
  const come = [...waiting].map((request) => request.response());
  release();
  await Promise.all(come);
}

/** Counts failed requests from now on. */
export function countFailures(where: Page, path: string | RegExp): () => number {
  let count = 0;
  where.on('response', (response) => {
    const url = response.url();
    const isIt = typeof path === 'string' ? url.includes(path) : path.test(url);
    if (isIt && response.status() >= 500) count += 1;
  });
  return () => count;
}
