import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import { createChanges } from './changes.ts';
import { createDeliveryRecorder } from './delivery-recorder.ts';
import { listDifferences } from './fresh-load.ts';
import { figure, openAll, type Plan, runAtRate, waitUntilConnected } from './plan.ts';
import { assignScreens } from './screens.ts';

const CHANGES_MISSED = 200;

/** Takes each screen offline during changes, and then compares it with the server's responses. */
export async function offline({ workspace, seconds }: Plan): Promise<Figure[]> {
  const recorder = createDeliveryRecorder();
  const browsers = await openAll(workspace, await assignScreens(workspace, 4), recorder);
  const change = createChanges({ workspace, browsers: () => browsers, recorder });
  for (const browser of browsers) browser.setOnline(false);
  recorder.begin();
  await runAtRate(CHANGES_MISSED / seconds, seconds, change);
  const before = browsers.map((browser) => browser.bytes());
  const requests = recorder.requests();
  for (const browser of browsers) browser.setOnline(true);
  const reconnectMs = await waitUntilConnected(browsers, 30_000);
  await delay(2_000);
  const bytes = browsers.map((browser, index) => browser.bytes() - (before[index] ?? 0));
  const requestCount = recorder.requests() - requests;
  const differences = (await Promise.all(browsers.map((browser) => listDifferences(workspace.url, browser)))).flat();
  for (const browser of browsers) browser.close();
  return [
    figure({
      name: `screens that differ from a fresh load 2 s after ${seconds} s offline`,
      value: differences.length,
      unit: '',
      limit: 0,
      detail: `${CHANGES_MISSED} changes, reconnected after ${reconnectMs.toFixed(0)} ms ${differences.join(' ')}`,
    }),
    figure({
      name: 'requests after reconnecting',
      value: requestCount,
      unit: '',
      limit: CHANGES_MISSED + 20,
      detail: `${browsers.length} browsers; ${(bytes.reduce((sum, size) => sum + size, 0) / 1_024).toFixed(0)} KB`,
    }),
  ];
}
