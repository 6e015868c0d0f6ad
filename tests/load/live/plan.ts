import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { Figure } from '../figures.ts';
import { type Browser, type BrowserObserver, openBrowser } from './browser.ts';
import type { ScreenAssignment } from './screens.ts';
import type { LoadWorkspace } from './virtual-users.ts';

export type Plan = { workspace: LoadWorkspace; browsers: number; seconds: number; print: (line: string) => void };

/** How long to wait for late updates. */
export const SETTLE_MS = 15_000;

const OPEN_CONCURRENCY = 20;
/** A browser that has sent no request for this long has caught up. */
const IDLE_MS = 3_000;

export const figure = (fields: Partial<Figure> & Pick<Figure, 'name' | 'value' | 'unit'>): Figure => ({
  limit: null,
  sense: 'at most',
  detail: '',
  ...fields,
});

export async function openAll(
  workspace: LoadWorkspace,
  assignments: readonly ScreenAssignment[],
  recorder: BrowserObserver,
): Promise<Browser[]> {
  // Waits for the changes of a previous scenario.
  await workspace.waitUntilPublished();
  const browsers: Browser[] = [];
  let requestedAt = 0;
  const observer: BrowserObserver = {
    ...recorder,
    onRequest(request) {
      requestedAt = performance.now();
      recorder.onRequest(request);
    },
  };
  for (let from = 0; from < assignments.length; from += OPEN_CONCURRENCY)
    browsers.push(
      ...(await Promise.all(
        assignments
          .slice(from, from + OPEN_CONCURRENCY)
          .map(({ user, screen }) => openBrowser({ url: workspace.url, user, screen, observer })),
      )),
    );
  await waitUntilConnected(browsers, 60_000);
  // Waits until requests after connecting, which belong to no change, have ended.
  await waitFor(() => performance.now() - requestedAt > IDLE_MS, {
    description: 'all browsers to be idle',
    timeoutMs: 120_000,
  });
  return browsers;
}

/** Returns the milliseconds until all browsers are connected, or infinity if they are not within `maxMs`. */
export async function waitUntilConnected(browsers: readonly Browser[], maxMs: number): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < maxMs) {
    if (browsers.every((browser) => browser.isConnected())) return performance.now() - startedAt;
    await delay(50);
  }
  return Number.POSITIVE_INFINITY;
}

/** Starts a task at a fixed rate, without waiting for previous ones, and then waits for all. */
export async function runAtRate(
  perSecond: number,
  seconds: number,
  run: (turn: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    const waitMs = (turn / perSecond) * 1_000 - (performance.now() - startedAt);
    if (waitMs > 0) await delay(waitMs);
    const task = run(turn);
    // Rejections are reported below; an unhandled one would end this process and orphan its services.
    task.catch(() => undefined);
    running.push(task);
  }
  await Promise.all(running);
}
