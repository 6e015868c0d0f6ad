import { parseArgs } from 'node:util';
import { startSystem } from '@atrium/dev-server/system/start-system';
import { NO_ANSWER } from './auth-load/neighbour.ts';
import { simulateOffice } from './auth-load/simulate-sign-ins.ts';

/**
 * `npm run test:load-auth [-- --people 5000 --speed 1]`: an office behind one address signs in within ten minutes, renews within a quarter of an
 * hour and wakes two laptops in five within one, while its accounts are guessed at. A speed above 1 makes every minute shorter, and with it all
 * rates higher; the budgets stay what they are. Exit code 1 when somebody of the office is refused, or somebody else gets further than they may.
 */
const { values } = parseArgs({
  options: { people: { type: 'string', default: '5000' }, speed: { type: 'string', default: '1' } },
});
const people = Number(values.people);
const speed = Number(values.speed);
const print = (line: string) => void process.stdout.write(`${line}\n`);

const system = await startSystem({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
try {
  const plan = {
    people,
    signInsPerSecond: (people / 600) * speed,
    renewalsPerSecond: (people / 900) * speed,
    laptops: Math.round(people * 0.4),
    wakesPerSecond: (people * 0.4 * speed) / 60,
    addresses: 1_000,
  };
  const outcome = await simulateOffice(system, plan, print);
  print(JSON.stringify(outcome, null, 2));
  const refused = [outcome.signIns, outcome.renewals, outcome.waking, outcome.owners].some((tally) =>
    Object.keys(tally).some((status) => Number(status) === NO_ANSWER || (Number(status) >= 400 && status !== '401')),
  );
  const tooFar = (outcome.attacker[401] ?? 0) > 10 * Math.ceil(25 / speed / 15) || (outcome.addresses[401] ?? 0) > 100;
  process.exitCode = refused || tooFar ? 1 : 0;
} finally {
  await system.stop();
}
