import { CHECKOUT } from './backing/launcher-context.ts';
import { painter } from './console/colors.ts';
import { createReaperClient } from './process-manager/reaper-client.ts';
import { onShutdown } from './start/shutdown.ts';
import { type Area, chooseAreas } from './test-runner/areas.ts';
import { prepareCoverageRecords, runCoverageCheck, selectCoverageChecks } from './test-runner/coverage-records.ts';
import { prepare } from './test-runner/prepare.ts';
import { type AreaResult, runArea, watchArea } from './test-runner/run-area.ts';

const HELP = `npm test [-- [--watch] area…]

Runs all tests and checks, or some areas: types, lint, unit, api, system, browser; a service, a package, gateway, or web by
name; or the path of a test file. Backing servers are found as by \`npm start\`.

With --watch, one area keeps running: whenever a file is saved, the affected tests run on servers that were started once. Coverage
checks do not run.
`;

const paint = painter(process.stdout);

const watching = process.argv.includes('--watch');

const areas = (): Area[] => {
  try {
    const words = process.argv.slice(2).filter((word) => word !== '--watch');
    const chosen = chooseAreas(CHECKOUT, words);
    if (watching && (chosen.length !== 1 || chosen[0]?.kind !== 'jest'))
      throw new Error(`--watch needs exactly one area.\n\n${HELP}`);
    return chosen;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(64);
  }
};

const show = ({ name, passed, failed, seconds, output }: AreaResult): void => {
  if (output) console.log(output);
  const word = failed ? paint('red', 'failed') : paint('green', 'passed');
  console.log(`${paint('bold', name.padEnd(10))} ${word}  ${passed} passed, ${failed} failed  ${seconds.toFixed(1)} s`);
};

const run = async (chosen: Area[]): Promise<AreaResult[]> => {
  const context = { root: CHECKOUT, reaper };
  const { due, skipped } = selectCoverageChecks(chosen, process.env.CI === 'true');
  await prepareCoverageRecords(due);
  const results: AreaResult[] = [];
  const recordResult = async (area: Area): Promise<void> => {
    const result = await runArea(area, context);
    show(result);
    results.push(result);
  };
  // Checks are light and run concurrently; suites run sequentially, to limit load and keep the output readable.
  await Promise.all([prepare(chosen), ...chosen.filter(({ kind }) => kind !== 'jest').map(recordResult)]);
  for (const area of chosen.filter(({ kind }) => kind === 'jest')) await recordResult(area);
  for (const check of due) {
    const result = await runCoverageCheck(check, context);
    show(result);
    results.push(result);
  }
  if (chosen.some(({ kind }) => kind === 'jest'))
    for (const { name, needs } of skipped) console.log(`${paint('bold', name.padEnd(10))} skipped: needs ${needs}`);
  return results;
};

const summarize = (results: AreaResult[]): boolean => {
  console.log('');
  for (const result of results) show({ ...result, output: '' });
  const failures = results.flatMap((result) => result.failures.map((text) => `${result.name}: ${text}`));
  if (failures.length) console.log(`\n${paint('red', 'Failed')}\n\n${failures.join('\n\n')}`);
  const sum = (key: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[key], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0;
};

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}
const chosen = areas();
const reaper = createReaperClient();
const end = (code: number) => reaper.close().then(() => process.exit(code));
onShutdown({
  gently: async (reason) => {
    console.log(`\nStopping (${reason}).`);
    await end(130);
  },
  hurry: () => process.exit(130),
});
const [watched] = watching ? chosen : [];
if (watched) await end(await watchArea(watched, { root: CHECKOUT, reaper }));
else await end(summarize(await run(chosen)) ? 0 : 1);
