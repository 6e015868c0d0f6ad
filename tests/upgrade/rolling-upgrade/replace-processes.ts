import { setTimeout as delay } from 'node:timers/promises';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import type { Cluster, Pod } from '@atrium/test-kit/system/start-cluster';
import { listProcesses } from '@atrium/tools/upgrade-snapshot/previous-checkout';
import { captureViews, createFetchAs, findDifferences } from '@atrium/tools/upgrade-snapshot/views';
import { isServerError, type WriteTracker } from '../../simulation/acknowledged-writes.ts';
import { describeFailures, type Workload } from '../../simulation/workload.ts';

/** A version of the code: its checkout and its name in messages. */
export type Version = { root: string; title: string };

/** The result of replacing one process. */
export type Step = {
  process: string;
  to: string;
  readySeconds: number;
  /** Calls that the pods of each version responded to while both were running. */
  responseCounts: { outgoing: number; incoming: number };
  calls: number;
  failures: string[];
  p95: number;
  stopSeconds: number;
  /** Lists that the two versions return differently. */
  differences: string[];
};

/** How long pods of both versions serve concurrently under load. */
const OVERLAP_MS = 6_000;
const AFTER_MS = 1_500;

/** Replaces all pods with pods of a different version, one service at a time, under load. */
export async function replaceAll(context: ReplaceContext, to: Version, onStep: (step: Step) => void): Promise<Step[]> {
  const steps: Step[] = [];
  for (const process of listProcesses(to)) {
    const step = await replace(process, to, context);
    onStep(step);
    steps.push(step);
  }
  return steps;
}

export type ReplaceContext = {
  cluster: Cluster;
  work: Workload;
  tracker: WriteTracker;
  /** Waits until all events are handled. */
  settle(): Promise<void>;
};

async function replace(process: string, to: Version, context: ReplaceContext): Promise<Step> {
  const { cluster, tracker } = context;
  const startedAt = performance.now();
  const outgoing = [...cluster.pods(process)];
  const incoming = await cluster.addPod(process, to);
  const readySeconds = (performance.now() - startedAt) / 1_000;
  const before = await Promise.all(outgoing.map((pod) => pod.countResponses()));
  await delay(OVERLAP_MS);
  const responseCounts = {
    outgoing: (await countAllResponses(outgoing)) - before.reduce((sum, count) => sum + count, 0),
    incoming: await incoming.countResponses(),
  };
  // New fields are allowed, so the older version is the reference.
  const fromOlder = to === thisVersion ? [...outgoing, incoming] : [incoming, ...outgoing];
  const differences = await compareVersions(process, fromOlder, context);
  const stoppedAt = performance.now();
  await Promise.all(outgoing.map((pod) => pod.stop()));
  const stopSeconds = (performance.now() - stoppedAt) / 1_000;
  await delay(AFTER_MS);
  const samples = tracker.callsSince(startedAt);
  const durations = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    process,
    to: to.title,
    readySeconds,
    responseCounts,
    calls: samples.length,
    failures: samples.some(({ status }) => isServerError(status)) ? describeFailures(tracker, startedAt) : [],
    p95: durations[Math.floor(durations.length * 0.95)] ?? 0,
    stopSeconds,
    differences,
  };
}

const countAllResponses = async (pods: readonly Pod[]) =>
  (await Promise.all(pods.map((pod) => pod.countResponses()))).reduce((sum, count) => sum + count, 0);

/** Compares the lists that pods of both versions return while no user is active. */
async function compareVersions(
  process: string,
  pods: readonly Pod[],
  { cluster, work, settle }: ReplaceContext,
): Promise<string[]> {
  const [olderPod, newerPod] = pods;
  if (!olderPod || !newerPod || process === 'auth' || process === 'gateway') return [];
  await work.pause();
  try {
    await settle();
    const tokensFrom = cluster.url;
    const expectedViews = await captureViews(createFetchAs({ tokensFrom, url: olderPod.url }), process);
    return findDifferences(
      expectedViews,
      await captureViews(createFetchAs({ tokensFrom, url: newerPod.url }), process),
    );
  } finally {
    work.resume();
  }
}

export const thisVersion: Version = { root: CHECKOUT, title: 'new' };

export function describeStep(step: Step): string {
  const { process, to, readySeconds, responseCounts, calls, failures, p95, stopSeconds, differences } = step;
  return [
    process.padEnd(14),
    `to ${to}`.padEnd(8),
    `ready ${readySeconds.toFixed(1)} s`.padEnd(12),
    `overlap ${responseCounts.outgoing}/${responseCounts.incoming}`.padEnd(16),
    `${calls} calls`.padEnd(11),
    `${failures.length} failures`.padEnd(10),
    `p95 ${p95.toFixed(0)} ms`.padEnd(12),
    `stop ${stopSeconds.toFixed(1)} s`.padEnd(12),
    `${differences.length} differences`,
  ].join(' ');
}
