import { parseArgs } from 'node:util';
import { type Figure, report } from '../figures.ts';
import { startLoadEnvironment } from '../load-environment.ts';
import { arrivals } from './arrivals.ts';
import { channel } from './channel.ts';
import { idle } from './idle.ts';
import { changes } from './mixed-changes.ts';
import { offline } from './offline.ts';
import { restart } from './restart.ts';
import { thin } from './thin/thin.ts';
import { startLoadWorkspace } from './virtual-users.ts';

/**
 * `npm run test:load -- live [changes|channel|restart|offline|arrivals|idle|thin …] [--browsers 100] [--seconds 30]` runs
 * browsers with the web app's live sync against real services and a gateway, and prints each figure with its limit.
 * Exits with 1 if a figure misses its limit.
 */
const SCENARIOS = { changes, channel, restart, offline, arrivals, idle, thin };
type Name = keyof typeof SCENARIOS;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { browsers: { type: 'string', default: '100' }, seconds: { type: 'string', default: '30' } },
});
const [suite, ...requested] = positionals;
const unknown = requested.filter((name) => !Object.hasOwn(SCENARIOS, name));
if (suite !== 'live' || unknown.length > 0)
  throw new Error(
    `npm run test:load -- live [${Object.keys(SCENARIOS).join('|')}]: unknown scenario ${unknown.join(', ') || suite}`,
  );
const browsers = Number(values.browsers);
const seconds = Number(values.seconds);
const print = (line: string) => void process.stdout.write(`${line}\n`);

const environment = await startLoadEnvironment(print);
const figures: Figure[] = [];
try {
  const workspace = await startLoadWorkspace(environment, browsers);
  try {
    for (const name of Object.keys(SCENARIOS) as Name[]) {
      if (requested.length > 0 && !requested.includes(name)) continue;
      print(`\n${name}`);
      figures.push(...(await SCENARIOS[name]({ workspace, browsers, seconds, print }, environment)));
    }
  } finally {
    await workspace.stop();
  }
} finally {
  await environment.stop();
}
// Exits explicitly, because closed browsers may have pending requests.
process.exit(report(figures, print) ? 0 : 1);
