import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseName } from '@atrium/dev-server/backing/servers/postgres-databases';
import { findDeadLetters } from '@atrium/test-kit/system/find-pending-work';
import { EVERY_PROCESS } from '@atrium/test-kit/system/start-cluster';
import { isServerError, type Sample } from '../simulation/acknowledged-writes.ts';
import { checkDelivery, type Delivery, messagesIn, shareOf } from '../simulation/delivery.ts';
import { findLost } from '../simulation/verify.ts';
import type { ChaosEnvironment } from './chaos-environment.ts';
import { listSlowReads, serviceOfSample, slowdown } from './latency.ts';
import { awaitRecovery } from './recovery.ts';
import type { Scenario } from './scenario.ts';

/** Columns with texts that are unique to one write, see `tests/simulation/jobs.ts`. */
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

/** Rows that exist more than once although they were created by one write and its retries. */
async function findDuplicates({ stores }: ChaosEnvironment): Promise<string[]> {
  const found = await Promise.all(
    UNIQUE_COLUMNS.map(async ([database, table, column]) => {
      const sql = `select ${column} as word, count(*)::int as n from ${table}
        where ${column} ~ '^(Task|Comment|Project at work|Message|Meeting|notes|newcomer)[ -][0-9]+' group by 1 having count(*) > 1`;
      const rows = await stores.query(database, sql);
      return rows.map(({ word, n }) => `${table} contains ${word} ${n} times`);
    }),
  );
  return found.flat();
}

/** Invited users who received no invitation email, or more than one. */
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
  /** Of the unaffected service that slowed down most. */
  slowdown: number | undefined;
  /** Of messages that were sent before the failure and after the recovery. */
  delivery: Delivery;
  writeSeconds: number;
  recoverySeconds: number;
  problems: string[];
};

const BASELINE_MS = 5_000;
const AFTERWARDS_MS = 2_500;
/** Maximum time from sending a message to its delivery over a socket. */
const MAX_DELIVERY_MS = 1_000;
const MAX_RECOVERY_SECONDS = 10;
const MAX_SLOWDOWN = 2;

/** These processes died unexpectedly. */
const DIED = /was ended by SIGKILL|is ready again after/;

/** Runs a scenario against a busy installation, which has recovered afterwards unless the outcome reports problems. */
export async function runScenario(chaos: ChaosEnvironment, scenario: Scenario): Promise<Outcome> {
  const { writes, work } = chaos;
  const problems: string[] = [];
  const begins = performance.now();
  await pause(BASELINE_MS);
  const baseline = writes.since(begins);
  const errorLinesBefore = chaos.errorLines().length;

  const causedAt = performance.now();
  await applyCause(chaos, scenario).catch((error: Error) => problems.push(error.message));
  const endedAt = performance.now();
  const { writesRecoveredAt, last, unrecovered } = await awaitRecovery(chaos);
  const recoveredAt = performance.now();
  problems.push(...unrecovered);
  const recoverySeconds = (recoveredAt - endedAt) / 1_000;
  if (unrecovered.length === 0 && recoverySeconds > MAX_RECOVERY_SECONDS)
    problems.push(`recovery took ${recoverySeconds.toFixed(1)} s; the last to recover was: ${last ?? 'a write'}`);

  const account = Object.values(await findLost(chaos.cluster.url, work.site, writes, begins));
  const mails = await findInvitationEmailErrors(chaos, begins);
  const lost = [...account.flatMap((kind) => kind.lost), ...(scenario.losesEmails ? [] : mails.lost)];
  const duplicated = [...(await findDuplicates(chaos)), ...(scenario.allowsDuplicateEmails ? [] : mails.twice)];
  problems.push(...lost.slice(0, 5), ...duplicated.slice(0, 5), ...(await checkDeadLetters(chaos, scenario)));
  work.resume();
  await pause(AFTERWARDS_MS);

  const messages = messagesIn(writes, { from: begins, to: performance.now() - MAX_DELIVERY_MS });
  const delivery = checkDelivery(chaos.listeners, messages, [{ from: causedAt, to: recoveredAt }]);
  if (delivery.failures.length > 0)
    problems.push(`before and after, sockets received ${shareOf(delivery)}: ${delivery.failures.join(', ')}`);

  const samples = writes.since(causedAt);
  const isExcused = (sample: Sample) => isServerError(sample.status) && canFail(sample, scenario);
  const unexpected = samples.filter(({ status, expected }) => status !== expected);
  const [during, after] = [
    unexpected.filter(({ began }) => began < recoveredAt),
    unexpected.filter(({ began }) => began >= recoveredAt),
  ];
  problems.push(...[...during.filter((sample) => !isExcused(sample)), ...after].slice(0, 5).map(describe));
  const duringFailure = samples.filter(({ began }) => began < recoveredAt);
  const slowest = slowdown(baseline, duringFailure, unaffected(scenario));
  problems.push(...listSlowReads(duringFailure, unaffected(scenario)).slice(0, 5).map(describe));
  if (slowest && slowest.ratio > MAX_SLOWDOWN)
    problems.push(
      `${slowest.service} took ${slowest.ms.toFixed(0)} ms instead of ${slowest.baselineMs.toFixed(0)}, although it was not affected`,
    );
  const expectedErrorLines = [DIED, ...(scenario.expectedErrors ?? [])];
  const errorLines = chaos.errorLines().slice(errorLinesBefore);
  problems.push(
    ...errorLines
      .filter((line) => !expectedErrorLines.some((pattern) => pattern.test(line)))
      .slice(0, 5)
      .map((line) => line.slice(0, 600)),
  );
  return {
    name: scenario.name,
    acknowledged: account.reduce((sum, kind) => sum + kind.acknowledged, 0),
    lost: lost.length,
    duplicated: duplicated.length,
    errorsDuring: during.length,
    errorsAfter: after.length,
    slowdown: slowest?.ratio,
    delivery,
    writeSeconds: (writesRecoveredAt - endedAt) / 1_000,
    recoverySeconds,
    problems,
  };
}

async function applyCause(chaos: ChaosEnvironment, { cause, durationMs = 0 }: Scenario): Promise<void> {
  const recover = await cause(chaos);
  await pause(durationMs);
  await recover();
}

const unaffected = ({ affected }: Scenario): string[] =>
  affected.includes('gateway') ? [] : EVERY_PROCESS.filter((name) => !affected.includes(name));

const canFail = (sample: Sample, { affected }: Scenario): boolean =>
  affected.includes('gateway') || affected.includes(serviceOfSample(sample));

const describe = ({ call, status, ms, body }: Sample): string =>
  `${call} returned ${status || 'nothing'} after ${ms.toFixed(0)} ms: ${JSON.stringify(body ?? '').slice(0, 200)}`;

async function checkDeadLetters({ stores }: ChaosEnvironment, { deadLetters = 0 }: Scenario): Promise<string[]> {
  const found = await findDeadLetters(stores);
  const count = found.reduce((sum, line) => sum + Number.parseInt(line, 10), 0);
  await stores.manager.streams.purge(stores.stream('dead'));
  return count === deadLetters ? [] : [`expected ${deadLetters} dead letters, found: ${found.join(', ') || 'none'}`];
}
