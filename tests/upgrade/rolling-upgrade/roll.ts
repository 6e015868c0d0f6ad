import { setTimeout as pause } from 'node:timers/promises';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import type { Cluster, Pod } from '@atrium/test-kit/system/start-cluster';
import { isFault, type Ledger } from '../../simulation/acknowledged-writes.ts';
import { askAt } from '../../simulation/people.ts';
import { findDifferences, lookAround } from '../../simulation/views.ts';
import { faultsIn, type Work } from '../../simulation/work.ts';
import { processesOf } from '../previous-checkout.ts';

/** A version of the code, by where it is and what it is called. */
export type Version = { root: string; title: string };

/** What came of the change of one process. */
export type Step = {
  process: string;
  to: string;
  readySeconds: number;
  /** Calls that the pods of both versions answered while they stood side by side. */
  answered: { leaving: number; coming: number };
  calls: number;
  faults: string[];
  p95: number;
  stopSeconds: number;
  /** Where the two versions show the same thing otherwise. */
  differences: string[];
};

/** How long pods of both versions serve side by side under load. */
const BESIDE_MS = 6_000;
const AFTER_MS = 1_500;

/** Puts pods of another version into the place of those there are, one service after the other, under load. */
export async function roll(around: Surroundings, to: Version, onStep: (step: Step) => void): Promise<Step[]> {
  const steps: Step[] = [];
  for (const process of processesOf(to)) {
    const step = await replace(process, to, around);
    onStep(step);
    steps.push(step);
  }
  return steps;
}

export type Surroundings = {
  cluster: Cluster;
  work: Work;
  ledger: Ledger;
  /** Waits until everything that was asked is done. */
  settle(): Promise<void>;
};

async function replace(process: string, to: Version, around: Surroundings): Promise<Step> {
  const { cluster, ledger } = around;
  const since = performance.now();
  const leaving = [...cluster.pods(process)];
  const coming = await cluster.addPod(process, to);
  const readySeconds = (performance.now() - since) / 1_000;
  const before = await Promise.all(leaving.map((pod) => pod.countAnswers()));
  await pause(BESIDE_MS);
  const answered = {
    leaving: (await sumOf(leaving)) - before.reduce((sum, count) => sum + count, 0),
    coming: await coming.countAnswers(),
  };
  // New fields are nobody's loss, so that the older one tells what there must be.
  const fromOlder = to === thisVersion ? [...leaving, coming] : [coming, ...leaving];
  const differences = await compareVersions(process, fromOlder, around);
  const stopping = performance.now();
  await Promise.all(leaving.map((pod) => pod.stop()));
  const stopSeconds = (performance.now() - stopping) / 1_000;
  await pause(AFTER_MS);
  const samples = ledger.since(since);
  const times = samples.map(({ ms }) => ms).sort((one, other) => one - other);
  return {
    process,
    to: to.title,
    readySeconds,
    answered,
    calls: samples.length,
    faults: samples.some(({ status }) => isFault(status)) ? faultsIn(ledger, since) : [],
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
    stopSeconds,
    differences,
  };
}

const sumOf = async (pods: readonly Pod[]) =>
  (await Promise.all(pods.map((pod) => pod.countAnswers()))).reduce((sum, count) => sum + count, 0);

/** Of the lists of a service, what pods of both versions show at a moment in which nobody does anything. */
async function compareVersions(
  process: string,
  pods: readonly Pod[],
  { cluster, work, settle }: Surroundings,
): Promise<string[]> {
  const [one, other] = pods;
  if (!one || !other || process === 'auth' || process === 'gateway') return [];
  await work.rest();
  try {
    await settle();
    const tokensFrom = cluster.url;
    const seen = await lookAround(askAt({ tokensFrom, url: one.url }), process);
    return findDifferences(seen, await lookAround(askAt({ tokensFrom, url: other.url }), process));
  } finally {
    work.resume();
  }
}

export const thisVersion: Version = { root: CHECKOUT, title: 'new' };

export function describe(step: Step): string {
  const { process, to, readySeconds, answered, calls, faults, p95, stopSeconds, differences } = step;
  return [
    process.padEnd(14),
    `to ${to}`.padEnd(8),
    `ready ${readySeconds.toFixed(1)} s`.padEnd(12),
    `beside ${answered.leaving}/${answered.coming}`.padEnd(16),
    `${calls} calls`.padEnd(11),
    `${faults.length} faults`.padEnd(10),
    `p95 ${p95.toFixed(0)} ms`.padEnd(12),
    `stop ${stopSeconds.toFixed(1)} s`.padEnd(12),
    `${differences.length} differences`,
  ].join(' ');
}
