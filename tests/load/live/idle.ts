import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import type { World } from '../load-environment.ts';
import { type Measured, startMeasured } from '../processes.ts';
import { connectRaw, type RawSocket } from '../raw-socket.ts';
import { createLedger } from './delivery-recorder.ts';
import { openAll, type Plan } from './plan.ts';
import { seat } from './screens.ts';

const AT_ONCE = 50;
const SETTLE_MS = 5_000;
/** With the app's engine, beside the bare sockets. */
const BROWSERS = 40;

/** What sockets that rest take of chat's memory, against those of a bare socket.io server, and what they are told meanwhile. */
export async function idle({ office, browsers: count, seconds }: Plan, world: World): Promise<Figure[]> {
  const bare = await startMeasured({
    file: 'tests/load/baselines/socket-room.ts',
    env: { REDIS_URL: world.redisUrl },
    ready: (url) => url,
  });
  const plain = await restingSockets(bare, count, () => connectRaw(bare.url, '/', {}));
  for (const socket of plain.sockets) socket.close();
  await bare.stop();
  const chat = office.chat();
  const ours = await restingSockets(chat, count, (index) => {
    const token = office.members[index % office.members.length]?.token;
    return connectRaw(chat.url, '/live', { token });
  });
  const ledger = createLedger();
  const browsers = await openAll(office, await seat(office, Math.min(BROWSERS, count)), ledger);
  const told = () => ours.sockets.reduce((sum, socket) => sum + socket.received(), 0);
  const before = told();
  ledger.begin();
  await delay(seconds * 1_000);
  for (const browser of browsers) browser.close();
  const frames = told() - before;
  for (const socket of ours.sockets) socket.close();
  const kb = (mb: number) => `${((mb * 1_024) / count).toFixed(1)} KB`;
  return [
    {
      what: 'memory of an idle socket against a bare one',
      value: ours.mb / plain.mb,
      unit: '×',
      limit: 1.5,
      sense: 'at most',
      detail: `${kb(ours.mb)} against ${kb(plain.mb)}, of ${count} sockets`,
    },
    {
      what: 'frames to idle sockets but heartbeats',
      value: frames,
      unit: '',
      limit: 0,
      sense: 'at most',
      detail: `in ${seconds} s`,
    },
    {
      what: 'requests of browsers where nothing changes',
      value: ledger.requests(),
      unit: '',
      limit: 0,
      sense: 'at most',
      detail: `${browsers.length} browsers in ${seconds} s`,
    },
  ];
}

async function restingSockets(server: Measured, count: number, connect: (index: number) => Promise<RawSocket>) {
  // What the first ones make the process load is not theirs.
  for (const socket of await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => connect(index)))) socket.close();
  await delay(SETTLE_MS);
  const before = server.residentMb();
  const sockets: RawSocket[] = [];
  for (let from = 0; from < count; from += AT_ONCE)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => connect(from + index)),
      )),
    );
  await delay(SETTLE_MS);
  return { mb: server.residentMb() - before, sockets };
}
