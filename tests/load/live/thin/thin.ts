import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../../figures.ts';
import type { Browser } from '../browser.ts';
import { createChanges } from '../changes.ts';
import { createCpuMeter } from '../cpu.ts';
import { createDeliveryRecorder } from '../delivery-recorder.ts';
import { openAll, type Plan, runAtRate } from '../plan.ts';
import type { LoadWorkspace } from '../virtual-users.ts';
import { replayBare } from './bare-replay.ts';
import { listReceived, type ReceivedChange } from './frames.ts';
import { startLoadProcess } from './load-commands.ts';
import { monotonicMs } from './monotonic-clock.ts';
import { recordWrites } from './record-writes.ts';
import { listScreenDifferences } from './screen-differences.ts';
import { thinFigures } from './thin-figures.ts';
import { createThinGroups, type ThinGroup } from './thin-groups.ts';
import type { Counts } from './written-change.ts';

/** Changes per second, a quarter of them creations and deletions. */
const RATE = 20;
/** Longer than the pause between two requests of a client for the same response. */
const IDLE_MS = 10_000;
const MAX_CATCH_UP_MS = 90_000;

/**
 * Makes mixed changes while thousands of thin clients follow them over real sockets, and a hundred browsers run the web
 * app's engine on the same screens. Then a bare socket.io server sends the same frames to as many sockets.
 */
export async function thin({ workspace, browsers: count, seconds, print }: Plan): Promise<Figure[]> {
  const startedAt = performance.now();
  const progress = (text: string) => print(`  ${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${text}`);
  const load = await startLoadProcess();
  const folder = await mkdtemp(join(tmpdir(), 'atrium-load-'));
  const recording = join(folder, 'frames.json');
  let engines: Browser[] = [];
  try {
    const groups = await createThinGroups(workspace, count);
    progress('opening thin clients');
    await load.run('open', { urls: workspace.urls, groups });
    progress('opening browsers');
    const recorder = createDeliveryRecorder();
    const engineGroups = groups.filter(({ hasEngine }) => hasEngine);
    const received = new Map<string, ReceivedChange[]>();
    engines = await openAll(workspace, engineGroups.map(toAssignment), {
      ...recorder,
      onEvent(browser, event, payload) {
        received.get(browser.user._id)?.push(...listReceived(event, payload));
      },
    });
    for (const { user } of engines) received.set(user._id, []);
    const { workspace: recorded, writes } = recordWrites(onShownBoards(workspace, groups));
    const change = createChanges({ workspace: recorded, browsers: () => engines, recorder });
    const initialCounts = await readCounts(workspace);
    progress(`${RATE} changes per second for ${seconds} s`);
    await load.run('begin', null);
    recorder.begin();
    const loadCpuBefore = load.process.cpuSeconds();
    const cpu = createCpuMeter(workspace);
    const begunAt = performance.now();
    await runAtRate(RATE, seconds, change);
    const durationSeconds = (performance.now() - begunAt) / 1_000;
    const untilMs = monotonicMs();
    const cores = cpu.cores();
    const loadCores = (load.process.cpuSeconds() - loadCpuBefore) / durationSeconds;
    const { loopDelayMs } = await load.run('measure', null);
    progress('comparing');
    const caughtUpMs = await waitUntilCaughtUp(async () => {
      const { requests } = await load.run('measure', null);
      return requests + recorder.requests();
    });
    const engineChanges = groups.map(({ hasEngine, users }) =>
      hasEngine ? (received.get(users[0]?._id ?? '') ?? []) : [],
    );
    const report = await load.run('report', { writes, initialCounts, engineChanges, recording, untilMs });
    const differences = await listScreenDifferences(workspace.url, { engines, groups, shown: report.shown });
    const memory = Object.fromEntries(
      Object.entries(workspace.processes()).map(([name, measured]) => [name, measured.residentMb()]),
    );
    await load.run('close', null);
    for (const engine of engines.splice(0)) engine.close();
    progress(`replaying ${report.sent.frames} frames, ${((await stat(recording)).size / 1e6).toFixed(0)} MB recorded`);
    const bare = await replayBare(load, recording);
    progress('done');
    return thinFigures({
      count,
      writes,
      recorder,
      report,
      differences,
      bare,
      cores,
      memory,
      load: { cores: loadCores, loopDelayMs },
      durationSeconds,
      caughtUpMs,
      engineCount: engineGroups.length,
      print,
    });
  } finally {
    for (const engine of engines) engine.close();
    await load.process.stop();
    await rm(folder, { recursive: true });
  }
}

const toAssignment = ({ screen, users: [user] }: ThinGroup) => {
  if (!user) throw new Error('A group without users');
  return { user, screen };
};

/** Waits until no client has sent a request for a while. Returns the milliseconds until the last request. */
async function waitUntilCaughtUp(countRequests: () => Promise<number>): Promise<number> {
  const startedAt = performance.now();
  let lastRequestAt = startedAt;
  let previous = await countRequests();
  while (performance.now() - lastRequestAt < IDLE_MS && performance.now() - startedAt < MAX_CATCH_UP_MS) {
    await delay(500);
    const requests = await countRequests();
    if (requests !== previous) lastRequestAt = performance.now();
    previous = requests;
  }
  return lastRequestAt - startedAt;
}

async function readCounts({ url, admin }: LoadWorkspace): Promise<Counts> {
  const response = await fetch(`${url}/api/projects/stats`, { headers: { authorization: `Bearer ${admin.token}` } });
  return (await response.json()) as Counts;
}

/** Changes tasks of boards that are shown, so that every change is seen. */
function onShownBoards(workspace: LoadWorkspace, groups: readonly ThinGroup[]): LoadWorkspace {
  const keys = groups.filter(({ screen }) => screen.name === 'board').flatMap(({ screen }) => screen.keys);
  const shown = new Set(keys.map((key) => key.replace('/projects/', '')));
  return { ...workspace, tasks: workspace.tasks.filter((task) => shown.has(task.project_id)) };
}
