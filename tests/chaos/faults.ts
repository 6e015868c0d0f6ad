import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { findUnpublishedRows } from '@atrium/test-kit/system/compare-rows';
import { findLost } from '../simulation/verify.ts';
import { startChaosEnvironment, type World } from './chaos-environment.ts';
import { ORDINARY, type Place } from './environment.ts';
import { printTable } from './print-table.ts';
import { type Outcome, runScenario } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';
import { scenariosOf } from './scenarios.ts';

/**
 * `npm run test:chaos [-- <words>] [--seed <number>]`: worlds with two pods of everything and ten people at work, and in each one thing
 * after the other that goes wrong; only those whose name has all of the words, where there are any. Exit code 1 unless all goes well.
 */
const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true });
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const chosen = scenariosOf(seed).filter(({ name }) => positionals.every((word) => name.includes(word)));
if (chosen.length === 0) {
  console.error(
    `No scenario is called so. There are:\n${scenariosOf(seed)
      .map(({ name }) => `  ${name}`)
      .join('\n')}`,
  );
  process.exit(64);
}

console.log(`seed ${seed}; ${chosen.length} scenarios`);
const began = performance.now();
const elapsed = () => `${((performance.now() - began) / 1_000).toFixed(0)} s`;
const outcomes: Outcome[] = [];
const skipped: string[] = [];
const inTheEnd: string[] = [];
for (const [place, scenarios] of Map.groupBy(chosen, (scenario) => scenario.place ?? ORDINARY)) {
  const why = await place.missing?.();
  if (why === undefined) inTheEnd.push(...(await perform(place, scenarios)));
  else skipped.push(...scenarios.map(({ name }) => `${name}: skipped, as ${why}`));
}
printTable(outcomes);
console.log(
  `on ${availableParallelism()} cores with a load of ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`,
);
for (const line of skipped) console.log(line);
for (const problem of inTheEnd) console.log(`in the end: ${problem}`);
const isGood = inTheEnd.length === 0 && outcomes.every(({ problems }) => problems.length === 0);
console.log(isGood ? `\nAll is well after ${elapsed()}.` : `\nNot all is well (seed ${seed}, ${elapsed()}).`);
process.exit(isGood ? 0 : 1);

/** One after the other in a world at that place; answers what is wrong with it in the end. */
async function perform(place: Place, scenarios: readonly Scenario[]): Promise<string[]> {
  console.log(`starting two pods of everything; the world is ${place.name} …`);
  const world = await startChaosEnvironment(place);
  console.log(`at work after ${elapsed()}`);
  try {
    // What was told can be compared for as long as no stream has lost it.
    const [forgetting, others] = [
      scenarios.filter(({ forgets }) => forgets),
      scenarios.filter(({ forgets }) => !forgets),
    ];
    for (const scenario of others) await performOne(world, scenario);
    await world.work.rest();
    const untold = await findUnpublishedRows(world.stores);
    world.work.resume();
    for (const scenario of forgetting) await performOne(world, scenario);
    return [...untold, ...(await findLostOfAll(world))];
  } finally {
    await world.stop();
  }
}

async function performOne(world: World, scenario: Scenario): Promise<void> {
  const outcome = await runScenario(world, scenario);
  outcomes.push(outcome);
  const { problems, recoverySeconds } = outcome;
  console.log(
    `${problems.length === 0 ? 'good' : 'BAD '}  ${scenario.name} (well after ${recoverySeconds.toFixed(1)} s; ${elapsed()})`,
  );
  for (const problem of problems) console.log(`        ${problem}`);
}

/** What is missing of all that was acknowledged from the beginning. */
async function findLostOfAll({ work, ledger, cluster }: World): Promise<string[]> {
  await work.rest();
  const account = Object.values(await findLost(cluster.url, work.site, ledger));
  const lost = account.flatMap((kind) => kind.lost);
  console.log(
    `\n${account.reduce((sum, kind) => sum + kind.acknowledged, 0)} acknowledged in all, ${lost.length} lost`,
  );
  return lost.slice(0, 5);
}
