import { parseArgs } from 'node:util';
import { type Figure, report } from '../figures.ts';
import { startLoadEnvironment } from '../load-environment.ts';
import { arrivals } from './arrivals.ts';
import { channel } from './channel.ts';
import { idle } from './idle.ts';
import { changes } from './mixed-changes.ts';
import { offline } from './offline.ts';
import { restart } from './restart.ts';
import { startOffice } from './virtual-users.ts';

/**
 * `npm run test:load -- live [changes|channel|restart|offline|arrivals|idle …] [--browsers 100] [--seconds 30]`: browsers with the web app's own engine
 * over real services and a gateway; each figure beside its limit, from one run. Exit code 1 when one misses.
 */
const SCENARIOS = { changes, channel, restart, offline, arrivals, idle };
type Name = keyof typeof SCENARIOS;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { browsers: { type: 'string', default: '100' }, seconds: { type: 'string', default: '30' } },
});
const [suite, ...wanted] = positionals;
const unknown = wanted.filter((name) => !Object.hasOwn(SCENARIOS, name));
if (suite !== 'live' || unknown.length > 0)
  throw new Error(
    `npm run test:load -- live [${Object.keys(SCENARIOS).join('|')}]: ${unknown.join(', ') || suite} is not known`,
  );
const [browsers, seconds] = [Number(values.browsers), Number(values.seconds)];
const print = (line: string) => void process.stdout.write(`${line}\n`);

const world = await startLoadEnvironment(print);
const figures: Figure[] = [];
try {
  const office = await startOffice(world, browsers);
  try {
    for (const name of Object.keys(SCENARIOS) as Name[]) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      print(`\n${name}`);
      figures.push(...(await SCENARIOS[name]({ office, browsers, seconds, print }, world)));
    }
  } finally {
    await office.stop();
  }
} finally {
  await world.stop();
}
// What a closed browser still waits for keeps nobody here.
process.exit(report(figures, print) ? 0 : 1);
