import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDemo } from '@atrium/tools/demo/demo';
import { restoreEarlier } from '../../backup/earlier.ts';
import { drill } from '../../backup/restore-test.ts';
import { demand, signedIn } from '../../flows/workspace.ts';
import { createFailureCollector, type Judge } from '../../simulation/judge.ts';
import { emailOf, findDifferences, lookAround, PASSWORD, VIEWERS } from '../../simulation/views.ts';
import { startLoadEnvironment, viewsOf, worlds } from '../snapshots.ts';
import { rollOut } from './roll-out.ts';

/**
 * `npm run test:upgrade [-- --from <commit> | --restore-test]`: this checkout starts on every world there is; then its pods come beside and in
 * place of those of the latest world's commit, or of the given one alone, and go again, while ten people work; then backups are restored
 * (`--restore-test`: that alone): of every world, and one that is taken under load. Exit code 1 unless all goes well.
 */
const { values } = parseArgs({
  options: { from: { type: 'string' }, 'restore-test': { type: 'boolean', default: false } },
});
const from = values.from ?? worlds.at(-1) ?? '';
if (!worlds.includes(from)) {
  console.error(`There is no world of ${from}. There are: ${worlds.join(', ')}`);
  process.exit(64);
}

async function startOn(commit: string, judge: Judge): Promise<void> {
  const began = performance.now();
  const system = await startLoadEnvironment(commit);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const clients = new Map<string, Awaited<ReturnType<typeof signedIn>>>();
  for (const who of VIEWERS) clients.set(who, await signedIn(system.url, emailOf(who), PASSWORD));
  const views = await lookAround((who, path) => {
    const client = clients.get(who);
    if (!client) throw new Error(`${who} has not signed in`);
    return demand(client.call('GET', path), 200);
  });
  judge(`this checkout starts on the world of ${commit} (${seconds} s), with every list as it was`, [
    ...findDifferences(viewsOf(commit), views),
    ...(await system.stop().then(
      () => [],
      (error: Error) => [error.message],
    )),
  ]);
}

/** The demo of this checkout, as the second one must be able to say of all that it has how it came about. */
async function drillBackups(judge: Judge): Promise<void> {
  const to = mkdtempSync(join(tmpdir(), 'atrium-drill-'));
  const say = (line: string) => console.log(line.trimEnd());
  const fill = ({ url }: { url: string }) => runDemo({ baseUrl: url, say: () => undefined });
  try {
    for (const commit of worlds) await restoreEarlier(commit, judge);
    await drill({ to, workMs: 20_000, isTold: true, env: { ALLOW_PAST_MEETINGS: 'true' }, fill, say }, judge);
  } finally {
    rmSync(to, { recursive: true });
  }
}

const { judge, count } = createFailureCollector();
if (values.from === undefined && !values['restore-test']) for (const commit of worlds) await startOn(commit, judge);
if (!values['restore-test']) await rollOut(from, judge);
if (values.from === undefined) await drillBackups(judge);
console.log(count() === 0 ? '\nAll is well.' : `\n${count()} faults.`);
process.exit(count() === 0 ? 0 : 1);
