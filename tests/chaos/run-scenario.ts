import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseName } from '@atrium/dev-server/backing/servers/postgres-databases';
import { findDeadLetters } from '@atrium/test-kit/system/find-pending-work';
import { PROCESS_NAMES } from '@atrium/test-kit/system/start-cluster';
import { type CallSample, isServerError } from '../simulation/acknowledged-writes.ts';
import { checkDelivery, type Delivery, formatShare, listSentMessages } from '../simulation/delivery.ts';
import { findLostWrites } from '../simulation/verify.ts';
import type { ChaosEnvironment } from './chaos-environment.ts';
import { findLargestSlowdown, listSlowReads, serviceOfSample } from './latency.ts';
import { awaitRecovery } from './recovery.ts';
import type { Scenario } from './scenario.ts';

/** Columns whose text is unique to one write (`tests/simulation/jobs.ts`). */
const UNIQUE_COLUMNS: readonly [database: DatabaseName, table: string, column: string][] = [
  ['projects', 'projects', 'name'],
  ['projects', 'tasks', 'title'],
  ['projects', 'task_comments', 'comment'],
  ['chat', 'messages', 'content'],
  ['chat', 'conversations', 'title'],
  ['meetings', 'meetings', 'title'],
  ['documents', 'documents', 'name'],
  ['users', 'users', 'email'],
];

/** Finds rows that exist more than once although one write and its retries created them. */
async function findDuplicates({ stores }: ChaosEnvironment): Promise<string[]> {
  const duplicates = await Promise.all(
    UNIQUE_COLUMNS.map(async ([database, table, column]) => {
      const sql = `select ${column} as word, count(*)::int as n from ${table}
        where ${column} ~ '^(Task|Comment|Simulated project|Message|Meeting|notes|newcomer)[ -][0-9]+' group by 1 having count(*) > 1`;
      const rows = await stores.query(database, sql);
      return rows.map(({ word, n }) => `${table} contains ${word} ${n} times`);
    }),
  );
  return duplicates.flat();
}

/** Finds invited users who received no invitation email, or more than one. */
async function findInvitationEmailErrors(
  { mailboxUrl, writes }: ChaosEnvironment,
  since: number,
): Promise<{ lost: string[]; twice: string[] }> {
  const lost: string[] = [];
  const twice: string[] = [];
  for (const { kind, fields } of writes.acknowledged(since)) {
    if (kind !== 'invitation') continue;
    const response = await fetch(`${mailboxUrl}/api/messages?to=${encodeURIComponent(String(fields.email))}`);
    const { data } = (await response.json()) as { data: unknown[] };
    if (data.length === 0) lost.push(`no email to ${fields.email}`);
    if (data.length > 1) twice.push(`${data.length} emails to ${fields.email}`);
  }
  return { lost, twice };
}

/** The result of a scenario; it passed if `problems` is empty. */
export type Outcome = {
  name: string;
  acknowledged: number;
  lost: number;
  duplicated: number;
  errorsDuring: number;
  errorsAfter: number;
  /** Slowdown of the unaffected service that slowed down most. */
  slowdown: number | undefined;
  /** Delivery of messages that were sent before the failure or after the recovery. */
  delivery: Delivery;
  writeSeconds: number;
  recoverySeconds: number;
  problems: string[];
};

const BASELINE_MS = 5_000;
const OBSERVE_AFTER_MS = 2_500;
/** Maximum time from sending a message to its delivery over a socket. */
const MAX_DELIVERY_MS = 1_000;
const MAX_RECOVERY_SECONDS = 10;
const MAX_SLOWDOWN = 2;

/** Log lines about processes that a scenario kills. */
const PROCESS_KILLED = /was ended by SIGKILL|is ready again after/;

/**
 * Runs a scenario against a busy installation and waits for its recovery. The outcome reports what has not recovered.
 */
export async function runScenario(chaos: ChaosEnvironment, scenario: Scenario): Promise<Outcome> {
  const { writes, work } = chaos;
  const problems: string[] = [];
  const startedAt = performance.now();
  await delay(BASELINE_MS);
  const baseline = writes.callsSince(startedAt);
  const errorLinesBefore = chaos.errorLines().length;

  const causedAt = performance.now();
  await applyCause(chaos, scenario).catch((error: Error) => problems.push(error.message));
  const endedAt = performance.now();
  const { writesRecoveredAt, lastRecovered, unrecovered } = await awaitRecovery(chaos);
  const recoveredAt = performance.now();
  problems.push(...unrecovered);
  const recoverySeconds = (recoveredAt - endedAt) / 1_000;
  if (unrecovered.length === 0 && recoverySeconds > MAX_RECOVERY_SECONDS)
    problems.push(
      `recovery took ${recoverySeconds.toFixed(1)} s; the last to recover was: ${lastRecovered ?? 'a write'}`,
    );

  const resultsByKind = Object.values(await findLostWrites(chaos.cluster.url, work.fixture, writes, startedAt));
  const emailErrors = await findInvitationEmailErrors(chaos, startedAt);
  const lost = [...resultsByKind.flatMap((kind) => kind.lost), ...(scenario.losesEmails ? [] : emailErrors.lost)];
  const duplicated = [...(await findDuplicates(chaos)), ...(scenario.allowsDuplicateEmails ? [] : emailErrors.twice)];
  problems.push(...lost.slice(0, 5), ...duplicated.slice(0, 5), ...(await checkDeadLetters(chaos, scenario)));
  work.resume();
  await delay(OBSERVE_AFTER_MS);

  const messages = listSentMessages(writes, { from: startedAt, to: performance.now() - MAX_DELIVERY_MS });
  const delivery = checkDelivery(chaos.listeners, messages, [{ from: causedAt, to: recoveredAt }]);
  if (delivery.failures.length > 0)
    problems.push(
      `before the failure and after the recovery, sockets received ${formatShare(delivery)}: ${delivery.failures.join(', ')}`,
    );

  const samples = writes.callsSince(causedAt);
  const isExcused = (sample: CallSample) => isServerError(sample.status) && canFail(sample, scenario);
  const unexpected = samples.filter(({ status, expected }) => status !== expected);
  const errorsDuring = unexpected.filter(({ startedAt }) => startedAt < recoveredAt);
  const errorsAfter = unexpected.filter(({ startedAt }) => startedAt >= recoveredAt);
  problems.push(
    ...[...errorsDuring.filter((sample) => !isExcused(sample)), ...errorsAfter].slice(0, 5).map(describeSample),
  );
  const duringFailure = samples.filter(({ startedAt }) => startedAt < recoveredAt);
  const slowest = findLargestSlowdown(baseline, duringFailure, listUnaffected(scenario));
  problems.push(...listSlowReads(duringFailure, listUnaffected(scenario)).slice(0, 5).map(describeSample));
  if (slowest && slowest.ratio > MAX_SLOWDOWN)
    problems.push(
      `${slowest.service} took ${slowest.ms.toFixed(0)} ms instead of ${slowest.baselineMs.toFixed(0)}, although it was not affected`,
    );
  const expectedErrorLines = [PROCESS_KILLED, ...(scenario.expectedErrors ?? [])];
  const errorLines = chaos.errorLines().slice(errorLinesBefore);
  problems.push(
    ...errorLines
      .filter((line) => !expectedErrorLines.some((pattern) => pattern.test(line)))
      .slice(0, 5)
      .map((line) => line.slice(0, 600)),
  );
  return {
    name: scenario.name,
    acknowledged: resultsByKind.reduce((sum, kind) => sum + kind.acknowledged, 0),
    lost: lost.length,
    duplicated: duplicated.length,
    errorsDuring: errorsDuring.length,
    errorsAfter: errorsAfter.length,
    slowdown: slowest?.ratio,
    delivery,
    writeSeconds: (writesRecoveredAt - endedAt) / 1_000,
    recoverySeconds,
    problems,
  };
}

async function applyCause(chaos: ChaosEnvironment, { cause, durationMs = 0 }: Scenario): Promise<void> {
  const recover = await cause(chaos);
  await delay(durationMs);
  await recover();
}

const listUnaffected = ({ affected }: Scenario): string[] =>
  affected.includes('gateway') ? [] : PROCESS_NAMES.filter((name) => !affected.includes(name));

const canFail = (sample: CallSample, { affected }: Scenario): boolean =>
  affected.includes('gateway') || affected.includes(serviceOfSample(sample));

const describeSample = ({ call, status, ms, body }: CallSample): string =>
  `${call} returned ${status || 'nothing'} after ${ms.toFixed(0)} ms: ${JSON.stringify(body ?? '').slice(0, 200)}`;

async function checkDeadLetters(
  { stores }: ChaosEnvironment,
  { deadLetters: expectedCount = 0 }: Scenario,
): Promise<string[]> {
  const deadLetters = await findDeadLetters(stores);
  const count = deadLetters.reduce((sum, line) => sum + Number.parseInt(line, 10), 0);
  await stores.manager.streams.purge(stores.stream('dead'));
  return count === expectedCount
    ? []
    : [`expected ${expectedCount} dead letters, found: ${deadLetters.join(', ') || 'none'}`];
}
