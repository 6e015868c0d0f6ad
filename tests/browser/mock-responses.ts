import type { Page, Request } from 'playwright-core';

/**
 * Responds to a request with an error without a message, which the real server never sends, so that the UI shows its
 * default text.
 */
export async function failWithoutMessage(
  page: Page,
  method: string,
  path: RegExp,
  act: () => Promise<void>,
): Promise<void> {
  const errorWithoutMessage = { status: 500, contentType: 'application/json', body: '{}' };
  await page.route(path, (route) =>
    route.request().method() === method ? route.fulfill(errorWithoutMessage) : route.fallback(),
  );
  await act();
  await page.unroute(path);
}

/** Delays the next response to a request until `act` has finished. */
export async function delayResponse(page: Page, path: RegExp, act: () => Promise<void>): Promise<void> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route(path, (route) => isReleased.then(() => route.continue()), { times: 1 });
  await act();
  release();
}

/**
 * Delays all responses to matching reads until `act` has finished. Resolves once those requested by then have arrived.
 */
export async function delayResponses(page: Page, path: RegExp, act: () => Promise<void>): Promise<void> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const delayedRequests = new Set<Request>();
  await page.route(path, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    delayedRequests.add(route.request());
    await isReleased;
    return route.continue();
  });
  await act();
  const responses = [...delayedRequests].map((request) => request.response());
  release();
  await Promise.all(responses);
}

/** Counts failed requests from now on. */
export function countFailures(page: Page, path: string | RegExp): () => number {
  let count = 0;
  page.on('response', (response) => {
    const url = response.url();
    const isMatch = typeof path === 'string' ? url.includes(path) : path.test(url);
    if (isMatch && response.status() >= 500) count += 1;
  });
  return () => count;
}
