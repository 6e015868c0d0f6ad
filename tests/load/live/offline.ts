import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Figure } from '../figures.ts';
import type { Browser } from './browser.ts';
import { createChanges } from './changes.ts';
import { createLedger } from './delivery-recorder.ts';
import { atRate, figure, openAll, type Plan, untilUp } from './plan.ts';
import { isOfMessages, seat, UNREAD } from './screens.ts';
import type { Office } from './virtual-users.ts';

const CHANGES_MISSED = 200;

/** Each screen is offline while things change, and then compared with what the server answers. */
export async function offline({ office, seconds }: Plan): Promise<Figure[]> {
  const ledger = createLedger();
  const browsers = await openAll(office, await seat(office, 4), ledger);
  const change = createChanges({ office, browsers: () => browsers, ledger });
  for (const browser of browsers) browser.setOnline(false);
  ledger.begin();
  await atRate(CHANGES_MISSED / seconds, seconds, change);
  const before = browsers.map((browser) => browser.bytes());
  const requests = ledger.requests();
  for (const browser of browsers) browser.setOnline(true);
  const backMs = await untilUp(browsers, 30_000);
  await delay(2_000);
  const bytes = browsers.map((browser, index) => browser.bytes() - (before[index] ?? 0));
  const asked = ledger.requests() - requests;
  const differing = (await Promise.all(browsers.map((browser) => differingKeys(office, browser)))).flat();
  for (const browser of browsers) browser.close();
  return [
    figure({
      what: `screens that differ from a fresh load 2 s after ${seconds} s offline`,
      value: differing.length,
      unit: '',
      limit: 0,
      detail: `${CHANGES_MISSED} changes, up again after ${backMs.toFixed(0)} ms ${differing.join(' ')}`,
    }),
    figure({
      what: 'requests then',
      value: asked,
      unit: '',
      limit: CHANGES_MISSED + 20,
      detail: `${browsers.length} browsers; ${(bytes.reduce((sum, one) => sum + one, 0) / 1_024).toFixed(0)} KB`,
    }),
  ];
}

async function differingKeys(office: Office, browser: Browser): Promise<string[]> {
  const isSame = async (key: string) => {
    const response = await fetch(`${office.url}/api${key.replace(/&pages=\d+$/, '')}`, {
      headers: { authorization: `Bearer ${browser.person.token}` },
    });
    const answer = await response.json();
    // It counts on from its answer, without asking.
    if (key === UNREAD) return (answer as { total: number }).total === browser.unread();
    if (isOfMessages(key))
      return isAtEnd((answer as Messages).data, (browser.held(key) as { messages: unknown[] }).messages);
    return JSON.stringify(answer) === JSON.stringify(browser.held(key));
  };
  const same = await Promise.all(browser.screen.keys.map(isSame));
  return browser.screen.keys.filter((_, index) => !same[index]);
}

type Messages = { data: unknown[] };

/** Whether a log ends with what the server answers as the newest. */
const isAtEnd = (newest: unknown[], log: unknown[]) =>
  isDeepStrictEqual(newest, newest.length === 0 ? [] : log.slice(-newest.length));
