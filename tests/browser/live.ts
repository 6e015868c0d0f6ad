import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';

/** Lists show other users' changes within a second. */
const LIVE_MS = 1_000;
/** On a slow machine everything takes longer; the duration of a trivial request shows how much. */
const MAX_REQUEST_MULTIPLE = 20;

type Write = {
  /** The page of the browser that writes. */
  by: Page;
  method: 'POST' | 'PATCH' | 'DELETE';
  /** The end of the request's path. */
  path: string;
};

/** Runs `act`, which makes a browser write, and asserts that others see the change in time after the server's response. */
export async function expectLive(
  { by, method, path }: Write,
  act: () => Promise<void>,
  visible: Locator[],
): Promise<void> {
  const requestMs = await timeOf(() => by.request.get(new URL('/api/health', by.url()).href));
  const answer = by.waitForResponse(
    (response) => response.url().endsWith(path) && response.request().method() === method && response.ok(),
  );
  const answered = answer.then(() => performance.now());
  const arrivals = visible.map((place) => place.waitFor().then(() => performance.now()));
  const [at, seenAt] = await Promise.all([answered, Promise.all(arrivals), act()]);
  const withinMs = Math.max(LIVE_MS, MAX_REQUEST_MULTIPLE * requestMs);
  for (const moment of seenAt) expect(moment - at).toBeLessThan(withinMs);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
