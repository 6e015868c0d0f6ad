import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import { createDeliveryRecorder } from './delivery-recorder.ts';
import { AFTERWARDS_MS, figure, openAll, type Plan, waitUntilConnected } from './plan.ts';
import { assignScreens } from './screens.ts';

/** Restarts chat while nothing changes. */
export async function restart({ workspace, browsers: count, print }: Plan): Promise<Figure[]> {
  const recorder = createDeliveryRecorder();
  const browsers = await openAll(workspace, await assignScreens(workspace, count), recorder);
  recorder.begin();
  const stoppedAt = performance.now();
  await workspace.restartChat();
  const tookMs = await waitUntilConnected(browsers, 60_000);
  await delay(AFTERWARDS_MS);
  const [busiest = []] = [...recorder.perBrowser().values()].sort((one, other) => other.length - one.length);
  for (const { key, after, requestedAt, browser } of busiest)
    print(`  ${((requestedAt - stoppedAt) / 1_000).toFixed(2)} s: ${key} of a ${browser.screen.name} after ${after}`);
  for (const browser of browsers) browser.close();
  return [
    figure({
      what: 'all browsers reconnected after a restart of chat',
      value: tookMs / 1_000,
      unit: ' s',
      limit: 30,
      detail: `${count} browsers, since chat was ready`,
    }),
    figure({
      what: 'requests of a browser afterwards, without changes',
      value: busiest.length,
      unit: '',
      limit: 3,
      detail: `the busiest browser; ${recorder.requests()} in total`,
    }),
  ];
}
