import { setTimeout as pause } from 'node:timers/promises';
import { findDeadLetters } from '@atrium/test-kit/system/find-pending-work';
import { EVERY_PROCESS } from '@atrium/test-kit/system/start-cluster';
import { isFault, type Sample } from '../simulation/acknowledged-writes.ts';
import { type Delivery, judgeDelivery, messagesIn, shareOf } from '../simulation/delivery.ts';
import { findLost } from '../simulation/verify.ts';
import type { World } from './chaos-environment.ts';
import { findDoubled, findOddMails } from './find-duplicates.ts';
import { answererOf, endless, slowdown } from './latency.ts';
import { recoverOf } from './recovery.ts';
import type { Scenario } from './scenario.ts';

/** What came of a scenario; `problems` is empty where all is well. */
export type Outcome = {
  name: string;
  acknowledged: number;
  lost: number;
  doubled: number;
  faultsDuring: number;
  faultsAfter: number;
  /** How much slower the slowest of the unaffected services was. */
  slowdown: number | undefined;
  /** Of messages that were sent before it and after it. */
  delivery: Delivery;
  writeSeconds: number;
  recoverySeconds: number;
  problems: string[];
};

const USUAL_MS = 5_000;
const AFTER_MS = 2_500;
/** So long a message may be on its way to a socket. */
const ON_ITS_WAY_MS = 1_000;
const MOST_SECONDS = 10;
const MOST_SLOWDOWN = 2;

/** Nobody told these to end. */
const DIED = /was ended by SIGKILL|is back after/;

/** Performs it on a world at work. Afterwards the world is as well as before, or the outcome says otherwise. */
export async function runScenario(world: World, scenario: Scenario): Promise<Outcome> {
  const { ledger, work } = world;
  const problems: string[] = [];
  const begins = performance.now();
  await pause(USUAL_MS);
  const usual = ledger.since(begins);
  const complaintsBefore = world.complaints().length;

  const causedAt = performance.now();
  await undergo(world, scenario).catch((error: Error) => problems.push(error.message));
  const endedAt = performance.now();
  const { wroteAt, last, unrest } = await recoverOf(world);
  const wellAt = performance.now();
  problems.push(...unrest);
  const recoverySeconds = (wellAt - endedAt) / 1_000;
  if (unrest.length === 0 && recoverySeconds > MOST_SECONDS)
    problems.push(`all was well only after ${recoverySeconds.toFixed(1)} s; the last was: ${last ?? 'a write'}`);

  const account = Object.values(await findLost(world.cluster.url, work.site, ledger, begins));
  const mails = await findOddMails(world, begins);
  const lost = [...account.flatMap((kind) => kind.lost), ...(scenario.mailsLost ? [] : mails.lost)];
  const doubled = [...(await findDoubled(world)), ...(scenario.mailsTwice ? [] : mails.twice)];
  problems.push(...lost.slice(0, 5), ...doubled.slice(0, 5), ...(await judgeDeadLetters(world, scenario)));
  work.resume();
  await pause(AFTER_MS);

  const messages = messagesIn(ledger, { from: begins, to: performance.now() - ON_ITS_WAY_MS });
  const delivery = judgeDelivery(world.listeners, messages, [{ from: causedAt, to: wellAt }]);
  if (delivery.faults.length > 0)
    problems.push(`before and after, ${shareOf(delivery)} came by the sockets: ${delivery.faults.join(', ')}`);

  const samples = ledger.since(causedAt);
  const isExcused = (sample: Sample) => isFault(sample.status) && mayFail(sample, scenario);
  const odd = samples.filter(({ status, expected }) => status !== expected);
  const [during, after] = [odd.filter(({ began }) => began < wellAt), odd.filter(({ began }) => began >= wellAt)];
  problems.push(...[...during.filter((sample) => !isExcused(sample)), ...after].slice(0, 5).map(describe));
  const meanwhile = samples.filter(({ began }) => began < wellAt);
  const slowest = slowdown(usual, meanwhile, unaffected(scenario));
  problems.push(...endless(meanwhile, unaffected(scenario)).slice(0, 5).map(describe));
  if (slowest && slowest.ratio > MOST_SLOWDOWN)
    problems.push(
      `${slowest.service} took ${slowest.ms.toFixed(0)} ms instead of ${slowest.usualMs.toFixed(0)}, and nothing of it was affected`,
    );
  const provoked = [DIED, ...(scenario.provokes ?? [])];
  const complaints = world.complaints().slice(complaintsBefore);
  problems.push(
    ...complaints
      .filter((line) => !provoked.some((pattern) => pattern.test(line)))
      .slice(0, 5)
      .map((line) => line.slice(0, 600)),
  );
  return {
    name: scenario.name,
    acknowledged: account.reduce((sum, kind) => sum + kind.acknowledged, 0),
    lost: lost.length,
    doubled: doubled.length,
    faultsDuring: during.length,
    faultsAfter: after.length,
    slowdown: slowest?.ratio,
    delivery,
    writeSeconds: (wroteAt - endedAt) / 1_000,
    recoverySeconds,
    problems,
  };
}

async function undergo(world: World, { cause, lastsMs = 0 }: Scenario): Promise<void> {
  const recover = await cause(world);
  await pause(lastsMs);
  await recover();
}

const unaffected = ({ affected }: Scenario): string[] =>
  affected.includes('gateway') ? [] : EVERY_PROCESS.filter((name) => !affected.includes(name));

const mayFail = (sample: Sample, { affected }: Scenario): boolean =>
  affected.includes('gateway') || affected.includes(answererOf(sample));

const describe = ({ call, status, ms, body }: Sample): string =>
  `${call} answered ${status || 'nothing'} after ${ms.toFixed(0)} ms: ${JSON.stringify(body ?? '').slice(0, 200)}`;

async function judgeDeadLetters({ stores }: World, { deadLetters = 0 }: Scenario): Promise<string[]> {
  const found = await findDeadLetters(stores);
  const count = found.reduce((sum, line) => sum + Number.parseInt(line, 10), 0);
  await stores.manager.streams.purge(stores.stream('dead'));
  return count === deadLetters
    ? []
    : [`${deadLetters} dead letters were to come; there are: ${found.join(', ') || 'none'}`];
}
