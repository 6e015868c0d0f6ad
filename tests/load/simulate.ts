import { parseArgs } from 'node:util';
import { startTestSystem } from '@atrium/dev-server/system/start-system';
import { NO_RESPONSE } from './auth-load/office-user.ts';
import { simulateSignIns } from './auth-load/simulate-sign-ins.ts';

/**
 * `npm run test:load-auth [-- --people 5000 --speed 1]` simulates users of an office behind one address who sign in
 * within ten minutes and refresh their tokens within a quarter of an hour. Two laptops in five wake within one minute,
 * while passwords of accounts are guessed. A speed above 1 shortens every period and so raises all rates; the rate
 * limits stay the same. Exits with 1 if an office user is rejected or an attacker is accepted.
 */
const { values } = parseArgs({
  options: { people: { type: 'string', default: '5000' }, speed: { type: 'string', default: '1' } },
});
const users = Number(values.people);
const speed = Number(values.speed);
const print = (line: string) => void process.stdout.write(`${line}\n`);

const system = await startTestSystem({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
try {
  const plan = {
    users,
    signInsPerSecond: (users / 600) * speed,
    refreshesPerSecond: (users / 900) * speed,
    laptops: Math.round(users * 0.4),
    wakesPerSecond: (users * 0.4 * speed) / 60,
    addresses: 1_000,
  };
  const outcome = await simulateSignIns(system, plan, print);
  print(JSON.stringify(outcome, null, 2));
  const hasRejectedUser = [outcome.signIns, outcome.refreshes, outcome.wakeUps, outcome.owners].some((counts) =>
    Object.keys(counts).some((status) => Number(status) === NO_RESPONSE || (Number(status) >= 400 && status !== '401')),
  );
  const hasAttackSucceeded =
    (outcome.attacker[401] ?? 0) > 10 * Math.ceil(25 / speed / 15) || (outcome.addresses[401] ?? 0) > 100;
  process.exitCode = hasRejectedUser || hasAttackSucceeded ? 1 : 0;
} finally {
  await system.stop();
}
