import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { Figure } from '../figures.ts';
import { type Browser, type BrowserObserver, openBrowser } from './browser.ts';
import type { DeliveryRecorder } from './delivery-recorder.ts';
import type { ScreenAssignment } from './screens.ts';
import type { LoadWorkspace } from './virtual-users.ts';

export type Plan = { workspace: LoadWorkspace; browsers: number; seconds: number; print: (line: string) => void };

/** How long to wait for late updates. */
export const AFTERWARDS_MS = 15_000;

const OPEN_CONCURRENCY = 20;
/** A browser that has sent no request for this long has caught up. */
const IDLE_MS = 3_000;

export const figure = (given: Partial<Figure> & Pick<Figure, 'what' | 'value' | 'unit'>): Figure => ({
  limit: null,
  sense: 'at most',
  detail: '',
  ...given,
});

export async function openAll(
  workspace: LoadWorkspace,
  assignments: readonly ScreenAssignment[],
  recorder: DeliveryRecorder,
): Promise<Browser[]> {
  // Changes of an earlier scenario.
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
          .map(({ person, screen }) => openBrowser({ url: workspace.url, person, screen, observer })),
      )),
    );
  await waitUntilConnected(browsers, 60_000);
  // Requests after connecting belong to no change.
  await waitFor(() => performance.now() - requestedAt > IDLE_MS, {
    description: 'all browsers to be idle',
    timeoutMs: 120_000,
  });
  return browsers;
}

/** Milliseconds until all are connected; infinite if they are not in time. */
export async function waitUntilConnected(browsers: readonly Browser[], maxMs: number): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < maxMs) {
    if (browsers.every((browser) => browser.isUp())) return performance.now() - startedAt;
    await delay(50);
  }
  return Number.POSITIVE_INFINITY;
}

/** Starts the work at a fixed rate, without waiting for earlier ones. */
export async function runAtRate(
  perSecond: number,
  seconds: number,
  runKind: (turn: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    const early = (turn / perSecond) * 1_000 - (performance.now() - startedAt);
    if (early > 0) await delay(early);
    const done = runKind(turn);
    // Rejections are reported below; an unhandled one would end this process and orphan its services.
    done.catch(() => undefined);
    running.push(done);
  }
  await Promise.all(running);
}
