import { isDeepStrictEqual, parseArgs } from 'node:util';
import { startSystem } from '@atrium/test-kit/system/start-system';
import { HIGH_LIMITS } from '../../workspace/builders.ts';
import { createUser, setUpWorkspace } from '../../workspace/workspace.ts';
import { prepareNotifiedWork, waitForNotified } from './notified-work.ts';

const NAMES = ['Anna', 'Bela', 'Cora', 'Dora', 'Emil', 'Finn'];
/** Killed in turn, each before another twentieth of the events. */
const KILLED = ['notifications', 'chat', 'gateway', 'notifications'];
const KILL_COUNT = 19;

/**
 * `npm run test:notified [-- --events 10000]` has users cause events that others are notified of, while processes are
 * killed. Exits with 1 unless each event notified all its recipients exactly once.
 */
const { values } = parseArgs({ options: { events: { type: 'string', default: '10000' } } });
const eventCount = Number(values.events);
const interval = Math.ceil(eventCount / (KILL_COUNT + 1));

const system = await startSystem({ env: HIGH_LIMITS, expectedErrors: [/was ended by SIGKILL/] });
const admin = await setUpWorkspace(system.url);
const users = [];
for (const first of NAMES) users.push(await createUser(system.url, admin, { first, role: 'member' }));
const { perform, countNotified } = prepareNotifiedWork(users, system.url);

const startedAt = performance.now();
const elapsed = () => `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
const expected = await perform(eventCount, (index) => {
  const killed = index > 0 && index % interval === 0 ? KILLED[(index / interval) % KILLED.length] : undefined;
  if (killed === undefined) return;
  console.log(`${elapsed()}: killing ${killed} before event ${index}`);
  system.kill(killed, 'SIGKILL');
});
console.log(`${elapsed()}: ${eventCount} events acknowledged`);
await waitForNotified(countNotified, expected, { timeoutMs: 1_800_000, intervalMs: 20_000 });
const counts = await countNotified();
const hasPassed = isDeepStrictEqual(
  new Map(Object.entries(counts).toSorted()),
  new Map(Object.entries(expected).toSorted()),
);
console.log(`${elapsed()}: ${hasPassed ? 'each event notified its recipients exactly once' : 'the counts differ'}`);
if (!hasPassed) console.log({ expected, counts });
await system.stop();
process.exit(hasPassed ? 0 : 1);
