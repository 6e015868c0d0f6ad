import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Figure } from '../figures.ts';
import type { Browser } from './browser.ts';
import { createChanges } from './changes.ts';
import { createDeliveryRecorder } from './delivery-recorder.ts';
import { figure, openAll, type Plan, runAtRate, waitUntilConnected } from './plan.ts';
import { assignScreens, isOfMessages, UNREAD } from './screens.ts';
import type { LoadWorkspace } from './virtual-users.ts';

const CHANGES_MISSED = 200;

/** Each screen is offline during changes and then compared with the server's responses. */
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
  const backMs = await waitUntilConnected(browsers, 30_000);
  await delay(2_000);
  const bytes = browsers.map((browser, index) => browser.bytes() - (before[index] ?? 0));
  const requestCount = recorder.requests() - requests;
  const differing = (await Promise.all(browsers.map((browser) => differingKeys(workspace, browser)))).flat();
  for (const browser of browsers) browser.close();
  return [
    figure({
      what: `screens that differ from a fresh load 2 s after ${seconds} s offline`,
      value: differing.length,
      unit: '',
      limit: 0,
      detail: `${CHANGES_MISSED} changes, reconnected after ${backMs.toFixed(0)} ms ${differing.join(' ')}`,
    }),
    figure({
      what: 'requests afterwards',
      value: requestCount,
      unit: '',
      limit: CHANGES_MISSED + 20,
      detail: `${browsers.length} browsers; ${(bytes.reduce((sum, one) => sum + one, 0) / 1_024).toFixed(0)} KB`,
    }),
  ];
}

async function differingKeys(workspace: LoadWorkspace, browser: Browser): Promise<string[]> {
  const isSame = async (key: string) => {
    const response = await fetch(`${workspace.url}/api${key.replace(/&pages=\d+$/, '')}`, {
      headers: { authorization: `Bearer ${browser.person.token}` },
    });
    const answer = await response.json();
    // The unread count is updated from events without a request.
    if (key === UNREAD) return (answer as { total: number }).total === browser.unread();
    if (isOfMessages(key))
      return isAtEnd((answer as Messages).data, (browser.cachedData(key) as { messages: unknown[] }).messages);
    return JSON.stringify(answer) === JSON.stringify(browser.cachedData(key));
  };
  const same = await Promise.all(browser.screen.keys.map(isSame));
  return browser.screen.keys.filter((_, index) => !same[index]);
}

type Messages = { data: unknown[] };

/** Whether a log ends with the newest messages of the server. */
const isAtEnd = (newest: unknown[], log: unknown[]) =>
  isDeepStrictEqual(newest, newest.length === 0 ? [] : log.slice(-newest.length));
