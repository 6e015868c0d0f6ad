import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';

/** Lists show other users' changes within a second. */
const LIVE_MS = 1_000;
/** On a slow machine, everything takes longer; the duration of a trivial request shows by how much. */
const MAX_REQUEST_MULTIPLE = 20;

type Write = {
  /** The page of the browser that writes. */
  by: Page;
  method: 'POST' | 'PATCH' | 'DELETE';
  /** The end of the request's path. */
  path: string;
};

/** Runs `act`, which makes a browser write, and asserts that others see the change soon after the server's response. */
export async function expectLive(
  { by, method, path }: Write,
  act: () => Promise<void>,
  visible: Locator[],
): Promise<void> {
  const requestMs = await measure(() => by.request.get(new URL('/api/health', by.url()).href));
  const response = by.waitForResponse(
    (response) => response.url().endsWith(path) && response.request().method() === method && response.ok(),
  );
  const respondedAt = response.then(() => performance.now());
  const arrivals = visible.map((locator) => locator.waitFor().then(() => performance.now()));
  const [respondedTime, seenTimes] = await Promise.all([respondedAt, Promise.all(arrivals), act()]);
  const maxMs = Math.max(LIVE_MS, MAX_REQUEST_MULTIPLE * requestMs);
  for (const seenTime of seenTimes) expect(seenTime - respondedTime).toBeLessThan(maxMs);
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
