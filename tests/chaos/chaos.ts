import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { findUnpublishedRows } from '@atrium/test-kit/system/compare-rows';
import { formatShare } from '../simulation/delivery.ts';
import { findLostWrites } from '../simulation/verify.ts';
import { type ChaosEnvironment, startChaosEnvironment } from './chaos-environment.ts';
import { DEFAULT_ENVIRONMENT, type Environment } from './environment.ts';
import { type Outcome, runScenario } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';
import { clockShifts } from './scenarios/clock-shifts.ts';
import { concurrentStarts } from './scenarios/concurrent-starts.ts';
import { crashes } from './scenarios/crashes.ts';
import { dependencyOutages } from './scenarios/dependency-outages.ts';
import { fullDisks } from './scenarios/full-disks.ts';
import { buildKills } from './scenarios/kills.ts';
import { networkOutages } from './scenarios/network-outages.ts';
import { processPauses } from './scenarios/process-pauses.ts';

const COLUMNS: readonly [title: string, format: (outcome: Outcome) => string][] = [
  ['scenario', ({ name }) => name],
  ['acknowledged', ({ acknowledged }) => String(acknowledged)],
  ['lost', ({ lost }) => String(lost)],
  ['duplicated', ({ duplicated }) => String(duplicated)],
  ['errors during', ({ errorsDuring }) => String(errorsDuring)],
  ['after', ({ errorsAfter }) => String(errorsAfter)],
  ['latency', ({ slowdown }) => (slowdown === undefined ? '-' : `x${slowdown.toFixed(1)}`)],
  ['by socket', ({ delivery }) => formatShare(delivery)],
  ['writes', ({ writeSeconds }) => `${writeSeconds.toFixed(1)} s`],
  ['recovery', ({ recoverySeconds }) => `${recoverySeconds.toFixed(1)} s`],
  ['', ({ problems }) => (problems.length === 0 ? 'good' : 'BAD')],
];

function printTable(outcomes: readonly Outcome[]): void {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...outcomes.map((outcome) => COLUMNS.map(([, format]) => format(outcome))),
  ];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  console.log('');
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    );
}

/** Returns all scenarios in the order in which they run. The seed determines the random choices. */
const buildScenarios = (seed: number): readonly Scenario[] => [
  ...crashes,
  ...buildKills(seed),
  ...processPauses,
  concurrentStarts,
  ...dependencyOutages,
  ...networkOutages,
  ...fullDisks,
  ...clockShifts,
];

/**
 * `npm run test:chaos [-- <words>] [--seed <number>]` runs failure scenarios, one at a time, against installations with
 * two pods of every service and ten simulated users. With words, it runs only the scenarios whose name contains all of
 * them. Exits with 1 unless every scenario passes.
 */
const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true });
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const selected = buildScenarios(seed).filter(({ name }) => positionals.every((word) => name.includes(word)));
if (selected.length === 0) {
  console.error(
    `No scenario name contains all of these words. Available scenarios:\n${buildScenarios(seed)
      .map(({ name }) => `  ${name}`)
      .join('\n')}`,
  );
  process.exit(64);
}

console.log(`seed ${seed}; ${selected.length} scenarios`);
const startedAt = performance.now();
const elapsed = () => `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
const outcomes: Outcome[] = [];
const skipped: string[] = [];
const finalProblems: string[] = [];
for (const [environment, scenarios] of Map.groupBy(
  selected,
  (scenario) => scenario.environment ?? DEFAULT_ENVIRONMENT,
)) {
  const reason = await environment.getUnavailableReason?.();
  if (reason === undefined) finalProblems.push(...(await runScenarios(environment, scenarios)));
  else skipped.push(...scenarios.map(({ name }) => `${name}: skipped, ${reason}`));
}
printTable(outcomes);
console.log(
  `on ${availableParallelism()} cores with a load of ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`,
);
for (const line of skipped) console.log(line);
for (const problem of finalProblems) console.log(`at the end: ${problem}`);
const hasPassed = finalProblems.length === 0 && outcomes.every(({ problems }) => problems.length === 0);
console.log(
  hasPassed ? `\nAll scenarios passed after ${elapsed()}.` : `\nSome scenarios failed (seed ${seed}, ${elapsed()}).`,
);
process.exit(hasPassed ? 0 : 1);

/** Runs the scenarios one at a time; returns the problems that remain at the end. */
async function runScenarios(environment: Environment, scenarios: readonly Scenario[]): Promise<string[]> {
  console.log(`starting two pods of every service in ${environment.name} …`);
  const chaos = await startChaosEnvironment(environment);
  console.log(`ready after ${elapsed()}`);
  try {
    // Published events can be compared with rows only until a stream has lost some, so scenarios that lose events come
    // last.
    const eventLosing = scenarios.filter(({ losesEvents }) => losesEvents);
    const others = scenarios.filter(({ losesEvents }) => !losesEvents);
    for (const scenario of others) await runAndPrint(chaos, scenario);
    await chaos.work.pause();
    const unpublished = await findUnpublishedRows(chaos.stores);
    chaos.work.resume();
    for (const scenario of eventLosing) await runAndPrint(chaos, scenario);
    return [...unpublished, ...(await listLostWrites(chaos))];
  } finally {
    await chaos.stop();
  }
}

async function runAndPrint(chaos: ChaosEnvironment, scenario: Scenario): Promise<void> {
  const outcome = await runScenario(chaos, scenario);
  outcomes.push(outcome);
  const { problems, recoverySeconds } = outcome;
  console.log(
    `${problems.length === 0 ? 'PASS' : 'FAIL'}  ${scenario.name} (recovered after ${recoverySeconds.toFixed(1)} s; ${elapsed()})`,
  );
  for (const problem of problems) console.log(`        ${problem}`);
}

/** Finds acknowledged writes since the start that are missing. */
async function listLostWrites({ work, writes, cluster }: ChaosEnvironment): Promise<string[]> {
  await work.pause();
  const resultsByKind = Object.values(await findLostWrites(cluster.url, work.fixture, writes));
  const lost = resultsByKind.flatMap((kind) => kind.lost);
  console.log(
    `\n${resultsByKind.reduce((sum, kind) => sum + kind.acknowledged, 0)} acknowledged in total, ${lost.length} lost`,
  );
  return lost.slice(0, 5);
}
