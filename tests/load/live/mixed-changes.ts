import { setTimeout as delay } from 'node:timers/promises';
import { type Figure, percentile } from '../figures.ts';
import { createChanges } from './changes.ts';
import { createCpu, detailOf } from './cpu.ts';
import { createDeliveryRecorder } from './delivery-recorder.ts';
import { AFTERWARDS_MS, figure, openAll, type Plan, runAtRate } from './plan.ts';
import { assignScreens } from './screens.ts';
import { printUnexpectedRequests, unexpectedRequestFigures } from './unexpected-requests.ts';

/** Changes per second, of all kinds. */
const RATE = 20;

/** Mixed changes; a quarter of the browsers each shows the dashboard, the tracker, a board, and Team Chat. */
export async function changes({ workspace, browsers: count, seconds, print }: Plan): Promise<Figure[]> {
  const recorder = createDeliveryRecorder();
  const browsers = await openAll(workspace, await assignScreens(workspace, count), recorder);
  const change = createChanges({ workspace, browsers: () => browsers, recorder });
  const cpu = createCpu(workspace);
  const startedAt = performance.now();
  recorder.begin();
  await runAtRate(RATE, seconds, change);
  const durationSeconds = (performance.now() - startedAt) / 1_000;
  const cores = cpu.cores();
  const { max: most, mean } = recorder.workspaceWide();
  await delay(AFTERWARDS_MS);
  const { mine = [], workspaceWide = [] } = recorder.times;
  const refused = recorder.statuses();
  for (const [path, times] of Object.entries(recorder.timesByPath))
    print(`  ${path}: ${(percentile(times, 0.95) / 1_000).toFixed(2)} s at the 95th percentile of ${times.length}`);
  printUnexpectedRequests(recorder, print);
  for (const browser of browsers) browser.close();
  const shown = (what: string, times: number[], limit: number) =>
    figure({
      what,
      value: percentile(times, 0.95) / 1_000,
      unit: ' s',
      limit,
      detail: `95th percentile of ${times.length}; ${(percentile(times, 0.5) / 1_000).toFixed(2)} s at the median`,
    });
  const per = `${count} browsers, ${RATE} changes per second for ${seconds} s`;
  return [
    shown('commit to shown, lists of one project or conversation', mine, 1),
    shown('commit to shown, workspace-wide lists', workspaceWide, 5),
    figure({
      what: 'requests per change and browser that shows it',
      value: recorder.requests() / recorder.shownCount(),
      unit: '',
      limit: 1.2,
      detail: `${recorder.requests()} requests for ${recorder.shownCount()}; ${per}`,
    }),
    ...unexpectedRequestFigures(recorder),
    figure({
      what: 'workspace-wide lists, requests of one browser in 2 s',
      // n requests have n - 1 intervals between them.
      value: ((most - 1) * 2) / durationSeconds,
      unit: '',
      limit: 1,
      detail: `the busiest browser; ${(((mean - 1) * 2) / durationSeconds).toFixed(2)} on average for those that show any`,
    }),
    figure({
      what: 'changes that some browser did not show',
      value: recorder.notShown().length,
      unit: '',
      limit: 0,
      detail: [...new Set(recorder.notShown())].slice(0, 3).join(' '),
    }),
    figure({ what: 'responses with 429', value: refused[429] ?? 0, unit: '', limit: 0 }),
    figure({ what: 'responses with 503, or none', value: (refused[503] ?? 0) + (refused[0] ?? 0), unit: '', limit: 0 }),
    figure({
      what: 'CPU of the gateway',
      value: cores.gateway ?? Number.NaN,
      unit: ' cores',
      limit: 1,
      detail: detailOf(cores),
    }),
  ];
}
