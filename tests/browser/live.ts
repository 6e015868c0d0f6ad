import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';

/** Lists follow what others do within a second (decisions, section 8). */
const LIVE_MS = 1_000;
/** On a machine that is short of time everything takes longer; by how much is told by a question that needs nothing but an answer. */
const TIMES_A_QUESTION = 20;

type Write = {
  /** Whose browser writes. */
  by: Page;
  method: 'POST' | 'PATCH' | 'DELETE';
  /** How the address of the call ends. */
  path: string;
};

/** Does what makes a browser write, and holds that others see it in time once the server has answered. */
export async function expectLive(
  { by, method, path }: Write,
  act: () => Promise<void>,
  seen: Locator[],
): Promise<void> {
  const questionMs = await timeOf(() => by.request.get(new URL('/api/health', by.url()).href));
  const answer = by.waitForResponse(
    (response) => response.url().endsWith(path) && response.request().method() === method && response.ok(),
  );
  const answered = answer.then(() => performance.now());
  const arrivals = seen.map((place) => place.waitFor().then(() => performance.now()));
  const [at, seenAt] = await Promise.all([answered, Promise.all(arrivals), act()]);
  const withinMs = Math.max(LIVE_MS, TIMES_A_QUESTION * questionMs);
  for (const moment of seenAt) expect(moment - at).toBeLessThan(withinMs);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
