import { CHECKOUT } from './backing/launcher-context.ts';
import { createPainter } from './console/colors.ts';
import { createReaperClient } from './process-manager/reaper-client.ts';
import { onShutdown } from './start/shutdown.ts';
import { type Area, chooseAreas } from './test-runner/areas.ts';
import { prepareCoverageRecords, runCoverageCheck, selectCoverageChecks } from './test-runner/coverage-records.ts';
import { prepare } from './test-runner/prepare.ts';
import { type AreaResult, runArea, watchArea } from './test-runner/run-area.ts';

const HELP = `npm test [-- [--watch] area…]

Runs all tests and checks, or some areas: types, lint, unit, api, system, browser; a service, a package, gateway, or web by
name; or the path of a test file. Finds backing servers in the same way as \`npm start\`.

With --watch, one area keeps running: whenever a file is saved, the affected tests run on servers that were started once.
Coverage checks do not run.
`;

const paint = createPainter(process.stdout);

const isWatching = process.argv.includes('--watch');

const readAreas = (): Area[] => {
  try {
    const names = process.argv.slice(2).filter((argument) => argument !== '--watch');
    const chosen = chooseAreas(CHECKOUT, names);
    if (isWatching && (chosen.length !== 1 || chosen[0]?.kind !== 'jest'))
      throw new Error(`--watch needs exactly one area.\n\n${HELP}`);
    return chosen;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(64);
  }
};

const printResult = ({ name, passed, failed, seconds, output }: AreaResult): void => {
  if (output) console.log(output);
  const outcome = failed ? paint('red', 'failed') : paint('green', 'passed');
  console.log(
    `${paint('bold', name.padEnd(10))} ${outcome}  ${passed} passed, ${failed} failed  ${seconds.toFixed(1)} s`,
  );
};

const run = async (chosen: Area[]): Promise<AreaResult[]> => {
  const context = { root: CHECKOUT, reaper };
  const { due, skipped } = selectCoverageChecks(chosen, process.env.CI === 'true');
  await prepareCoverageRecords(due);
  const results: AreaResult[] = [];
  const runAndRecord = async (area: Area): Promise<void> => {
    const result = await runArea(area, context);
    printResult(result);
    results.push(result);
  };
  // Checks are light and run concurrently. Suites run sequentially to limit the load and keep the output readable.
  await Promise.all([prepare(chosen), ...chosen.filter(({ kind }) => kind !== 'jest').map(runAndRecord)]);
  for (const area of chosen.filter(({ kind }) => kind === 'jest')) await runAndRecord(area);
  for (const check of due) {
    const result = await runCoverageCheck(check, context);
    printResult(result);
    results.push(result);
  }
  if (chosen.some(({ kind }) => kind === 'jest'))
    for (const { name, requirement } of skipped)
      console.log(`${paint('bold', name.padEnd(10))} skipped: needs ${requirement}`);
  return results;
};

const summarize = (results: AreaResult[]): boolean => {
  console.log('');
  for (const result of results) printResult({ ...result, output: '' });
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
const chosen = readAreas();
const reaper = createReaperClient();
const exit = (code: number) => reaper.close().then(() => process.exit(code));
onShutdown({
  stopGracefully: async (reason) => {
    console.log(`\nStopping (${reason}).`);
    await exit(130);
  },
  killAll: () => process.exit(130),
});
const [watched] = isWatching ? chosen : [];
if (watched) await exit(await watchArea(watched, { root: CHECKOUT, reaper }));
else await exit(summarize(await run(chosen)) ? 0 : 1);
