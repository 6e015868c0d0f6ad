import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import { createLedger } from './delivery-recorder.ts';
import { AFTERWARDS_MS, figure, openAll, type Plan, untilUp } from './plan.ts';
import { seat } from './screens.ts';

/** Chat is stopped and started again where nothing changes. */
export async function restart({ office, browsers: count, print }: Plan): Promise<Figure[]> {
  const ledger = createLedger();
  const browsers = await openAll(office, await seat(office, count), ledger);
  ledger.begin();
  const stoppedAt = performance.now();
  await office.restartChat();
  const tookMs = await untilUp(browsers, 60_000);
  await delay(AFTERWARDS_MS);
  const [busiest = []] = [...ledger.perBrowser().values()].sort((one, other) => other.length - one.length);
  for (const { key, after, askedAt, browser } of busiest)
    print(`  ${((askedAt - stoppedAt) / 1_000).toFixed(2)} s: ${key} of a ${browser.screen.name} after ${after}`);
  for (const browser of browsers) browser.close();
  return [
    figure({
      what: 'all browsers back after a restart of chat',
      value: tookMs / 1_000,
      unit: ' s',
      limit: 30,
      detail: `${count} browsers, from when it is ready`,
    }),
    figure({
      what: 'requests of a browser then, where nothing changed',
      value: busiest.length,
      unit: '',
      limit: 3,
      detail: `the browser with most; ${ledger.requests()} in all`,
    }),
  ];
}
