import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import { createDeliveryRecorder } from './delivery-recorder.ts';
import { figure, openAll, type Plan, SETTLE_MS, waitUntilConnected } from './plan.ts';
import { assignScreens } from './screens.ts';

/** Restarts chat while nothing changes, and measures how browsers reconnect. */
export async function restart({ workspace, browsers: count, print }: Plan): Promise<Figure[]> {
  const recorder = createDeliveryRecorder();
  const browsers = await openAll(workspace, await assignScreens(workspace, count), recorder);
  recorder.begin();
  const stoppedAt = performance.now();
  await workspace.restartChat();
  const reconnectMs = await waitUntilConnected(browsers, 60_000);
  await delay(SETTLE_MS);
  const [busiest = []] = [...recorder.perBrowser().values()].sort((a, b) => b.length - a.length);
  for (const { key, after, requestedAt, browser } of busiest)
    print(`  ${((requestedAt - stoppedAt) / 1_000).toFixed(2)} s: ${key} of a ${browser.screen.name} after ${after}`);
  for (const browser of browsers) browser.close();
  return [
    figure({
      name: 'all browsers reconnected after a restart of chat',
      value: reconnectMs / 1_000,
      unit: ' s',
      limit: 30,
      detail: `${count} browsers, since chat was ready`,
    }),
    figure({
      name: 'requests of a browser after reconnecting, without changes',
      value: busiest.length,
      unit: '',
      limit: 3,
      detail: `the busiest browser; ${recorder.requests()} in total`,
    }),
  ];
}
