import { setTimeout as delay } from 'node:timers/promises';
import { type Figure, percentile } from '../figures.ts';
import { createChanges } from './changes.ts';
import { createCpuMeter, formatCores } from './cpu.ts';
import { createDeliveryRecorder } from './delivery-recorder.ts';
import { figure, openAll, type Plan, runAtRate, SETTLE_MS } from './plan.ts';
import { assignScreens } from './screens.ts';
import { printUnexpectedRequests, unexpectedRequestFigures } from './unexpected-requests.ts';

/** Changes per second, of all kinds. */
const RATE = 20;

/**
 * Makes mixed changes while a quarter each of the browsers shows the dashboard, the tracker, a board, and Team Chat.
 */
export async function changes({ workspace, browsers: count, seconds, print }: Plan): Promise<Figure[]> {
  const recorder = createDeliveryRecorder();
  const browsers = await openAll(workspace, await assignScreens(workspace, count), recorder);
  const change = createChanges({ workspace, browsers: () => browsers, recorder });
  const cpu = createCpuMeter(workspace);
  const startedAt = performance.now();
  recorder.begin();
  await runAtRate(RATE, seconds, change);
  const durationSeconds = (performance.now() - startedAt) / 1_000;
  const cores = cpu.cores();
  const { max: maxRequests, mean } = recorder.workspaceWide();
  await delay(SETTLE_MS);
  const { narrow = [], workspaceWide = [] } = recorder.times;
  const statuses = recorder.statuses();
  for (const [path, times] of Object.entries(recorder.timesByPath))
    print(`  ${path}: ${(percentile(times, 0.95) / 1_000).toFixed(2)} s at the 95th percentile of ${times.length}`);
  printUnexpectedRequests(recorder, print);
  for (const browser of browsers) browser.close();
  const latencyFigure = (name: string, times: number[], limit: number) =>
    figure({
      name,
      value: percentile(times, 0.95) / 1_000,
      unit: ' s',
      limit,
      detail: `95th percentile of ${times.length}; ${(percentile(times, 0.5) / 1_000).toFixed(2)} s at the median`,
    });
  const setup = `${count} browsers, ${RATE} changes per second for ${seconds} s`;
  return [
    latencyFigure('commit to shown, lists of one project or conversation', narrow, 1),
    latencyFigure('commit to shown, workspace-wide lists', workspaceWide, 5),
    figure({
      name: 'requests per change and browser that shows it',
      value: recorder.requests() / recorder.shownCount(),
      unit: '',
      limit: 1.2,
      detail: `${recorder.requests()} requests for ${recorder.shownCount()}; ${setup}`,
    }),
    ...unexpectedRequestFigures(recorder),
    figure({
      name: 'workspace-wide lists, requests of one browser in 2 s',
      // n requests have n - 1 intervals between them.
      value: ((maxRequests - 1) * 2) / durationSeconds,
      unit: '',
      limit: 1,
      detail: `the busiest browser; ${(((mean - 1) * 2) / durationSeconds).toFixed(2)} on average for those that show any`,
    }),
    figure({
      name: 'changes that some browser did not show',
      value: recorder.notShown().length,
      unit: '',
      limit: 0,
      detail: [...new Set(recorder.notShown())].slice(0, 3).join(' '),
    }),
    figure({ name: 'responses with 429', value: statuses[429] ?? 0, unit: '', limit: 0 }),
    figure({
      name: 'responses with 503, or none',
      value: (statuses[503] ?? 0) + (statuses[0] ?? 0),
      unit: '',
      limit: 0,
    }),
    figure({
      name: 'CPU of the gateway',
      value: cores.gateway ?? Number.NaN,
      unit: ' cores',
      limit: 1,
      detail: formatCores(cores),
    }),
  ];
}
