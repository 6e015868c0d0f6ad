import { parseArgs } from 'node:util';
import { demand, signedIn } from '../../flows/workspace.ts';
import { type Judge, openJudge } from '../../laboratory/judge.ts';
import { emailOf, findDifferences, lookAround, PASSWORD, VIEWERS } from '../../laboratory/views.ts';
import { startWorld, viewsOf, worlds } from '../worlds.ts';
import { rollOut } from './roll-out.ts';

/**
 * `npm run test:upgrade [-- --from <commit>]`: this checkout starts on every world there is; then its pods come beside and in place of
 * those of the latest world's commit, or of the given one, and go again, while ten people work. Exit code 1 unless all goes well.
 */
const { values } = parseArgs({ options: { from: { type: 'string' } } });
const from = values.from ?? worlds.at(-1) ?? '';
if (!worlds.includes(from)) {
  console.error(`There is no world of ${from}. There are: ${worlds.join(', ')}`);
  process.exit(64);
}

async function startOn(commit: string, judge: Judge): Promise<void> {
  const began = performance.now();
  const system = await startWorld(commit);
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

const { judge, count } = openJudge();
if (values.from === undefined) for (const commit of worlds) await startOn(commit, judge);
await rollOut(from, judge);
console.log(count() === 0 ? '\nAll is well.' : `\n${count()} faults.`);
process.exit(count() === 0 ? 0 : 1);
