import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Figure } from '../figures.ts';
import type { Browser } from './browser.ts';
import { createChanges } from './changes.ts';
import { createDeliveryRecorder } from './delivery-recorder.ts';
import { figure, openAll, type Plan, runAtRate, waitUntilConnected } from './plan.ts';
import { assignScreens, isMessagesKey, UNREAD } from './screens.ts';
import type { LoadWorkspace } from './virtual-users.ts';

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
  const differences = (await Promise.all(browsers.map((browser) => differingKeys(workspace, browser)))).flat();
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

async function differingKeys(workspace: LoadWorkspace, browser: Browser): Promise<string[]> {
  const isSame = async (key: string) => {
    const response = await fetch(`${workspace.url}/api${key.replace(/&pages=\d+$/, '')}`, {
      headers: { authorization: `Bearer ${browser.user.token}` },
    });
    const body = await response.json();
    // The unread count is updated from events without a request.
    if (key === UNREAD) return (body as { total: number }).total === browser.unread();
    if (isMessagesKey(key))
      return isAtEnd((body as Messages).data, (browser.cachedData(key) as { messages: unknown[] }).messages);
    return JSON.stringify(body) === JSON.stringify(browser.cachedData(key));
  };
  const areSame = await Promise.all(browser.screen.keys.map(isSame));
  return browser.screen.keys.filter((_, index) => !areSame[index]);
}

type Messages = { data: unknown[] };

/** Returns whether a log ends with the newest messages of the server. */
const isAtEnd = (newest: unknown[], log: unknown[]) =>
  isDeepStrictEqual(newest, newest.length === 0 ? [] : log.slice(-newest.length));
