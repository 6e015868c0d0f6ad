import { setTimeout as delay } from 'node:timers/promises';
import { type Figure, percentile } from '../figures.ts';
import { createChanges } from './changes.ts';
import { createCpu, detailOf } from './cpu.ts';
import { createLedger } from './delivery-recorder.ts';
import { AFTERWARDS_MS, atRate, figure, openAll, type Plan } from './plan.ts';
import { seat } from './screens.ts';
import { strayFigures, tellStrays } from './unexpected-requests.ts';

/** Changes a second, of all kinds. */
const RATE = 20;

/** Mixed changes, seen by a quarter each on the dashboard, the tracker, a board and Team Chat. */
export async function changes({ office, browsers: count, seconds, print }: Plan): Promise<Figure[]> {
  const ledger = createLedger();
  const browsers = await openAll(office, await seat(office, count), ledger);
  const change = createChanges({ office, browsers: () => browsers, ledger });
  const cpu = createCpu(office);
  const begun = performance.now();
  ledger.begin();
  await atRate(RATE, seconds, change);
  const took = (performance.now() - begun) / 1_000;
  const cores = cpu.cores();
  const { most, mean } = ledger.everything();
  await delay(AFTERWARDS_MS);
  const { mine = [], everything = [] } = ledger.times;
  const refused = ledger.statuses();
  for (const [path, times] of Object.entries(ledger.timesByPath))
    print(`  ${path}: ${(percentile(times, 0.95) / 1_000).toFixed(2)} s at the 95th percentile of ${times.length}`);
  tellStrays(ledger, print);
  for (const browser of browsers) browser.close();
  const shown = (what: string, times: number[], limit: number) =>
    figure({
      what,
      value: percentile(times, 0.95) / 1_000,
      unit: ' s',
      limit,
      detail: `95th percentile of ${times.length}; ${(percentile(times, 0.5) / 1_000).toFixed(2)} s at the median`,
    });
  const per = `${count} browsers, ${RATE} changes a second for ${seconds} s`;
  return [
    shown('commit to shown, what one project’s or conversation’s people look at', mine, 1),
    shown('commit to shown, lists of everything', everything, 5),
    figure({
      what: 'requests for each change and browser that shows it',
      value: ledger.requests() / ledger.shownTo(),
      unit: '',
      limit: 1.2,
      detail: `${ledger.requests()} requests for ${ledger.shownTo()}; ${per}`,
    }),
    ...strayFigures(ledger),
    figure({
      what: 'lists of everything, requests of one browser in 2 s',
      // Of so many questions one less are between the first and the last.
      value: ((most - 1) * 2) / took,
      unit: '',
      limit: 1,
      detail: `the browser with most; ${(((mean - 1) * 2) / took).toFixed(2)} at the mean of those that show any`,
    }),
    figure({
      what: 'changes that somebody did not see',
      value: ledger.missing().length,
      unit: '',
      limit: 0,
      detail: [...new Set(ledger.missing())].slice(0, 3).join(' '),
    }),
    figure({ what: 'answers 429', value: refused[429] ?? 0, unit: '', limit: 0 }),
    figure({ what: 'answers 503, or none', value: (refused[503] ?? 0) + (refused[0] ?? 0), unit: '', limit: 0 }),
    figure({
      what: 'CPU of the gateway',
      value: cores.gateway ?? Number.NaN,
      unit: ' cores',
      limit: 1,
      detail: detailOf(cores),
    }),
  ];
}
