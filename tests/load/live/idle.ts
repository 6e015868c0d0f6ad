import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { type MeasuredProcess, startMeasured } from '../processes.ts';
import { connectRaw, type RawSocket } from '../raw-socket.ts';
import { createDeliveryRecorder } from './delivery-recorder.ts';
import { openAll, type Plan } from './plan.ts';
import { assignScreens } from './screens.ts';

const CONCURRENCY = 50;
const SETTLE_MS = 5_000;
/** Browsers with the app's live sync, in addition to the bare sockets. */
const BROWSERS = 40;

/** Measures chat's memory for idle sockets against a bare socket.io server, and frames and requests without changes. */
export async function idle(
  { workspace, browsers: count, seconds }: Plan,
  environment: LoadEnvironment,
): Promise<Figure[]> {
  const bare = await startMeasured({
    file: 'tests/load/baselines/socket-room.ts',
    env: { REDIS_URL: environment.redisUrl },
    ready: (url) => url,
  });
  const bareSockets = await openIdleSockets(bare, count, () => connectRaw(bare.url, '/', {}));
  for (const socket of bareSockets.sockets) socket.close();
  await bare.stop();
  const chat = workspace.chat();
  const chatSockets = await openIdleSockets(chat, count, (index) => {
    const token = workspace.members[index % workspace.members.length]?.token;
    return connectRaw(chat.url, '/live', { token });
  });
  const recorder = createDeliveryRecorder();
  const browsers = await openAll(workspace, await assignScreens(workspace, Math.min(BROWSERS, count)), recorder);
  const framesReceived = () => chatSockets.sockets.reduce((sum, socket) => sum + socket.received(), 0);
  const before = framesReceived();
  recorder.begin();
  await delay(seconds * 1_000);
  for (const browser of browsers) browser.close();
  const frames = framesReceived() - before;
  for (const socket of chatSockets.sockets) socket.close();
  const kb = (mb: number) => `${((mb * 1_024) / count).toFixed(1)} KB`;
  return [
    {
      name: 'memory of an idle socket against a bare one',
      value: chatSockets.mb / bareSockets.mb,
      unit: '×',
      limit: 1.5,
      sense: 'at most',
      detail: `${kb(chatSockets.mb)} against ${kb(bareSockets.mb)}, of ${count} sockets`,
    },
    {
      name: 'frames to idle sockets except heartbeats',
      value: frames,
      unit: '',
      limit: 0,
      sense: 'at most',
      detail: `in ${seconds} s`,
    },
    {
      name: 'requests of browsers where nothing changes',
      value: recorder.requests(),
      unit: '',
      limit: 0,
      sense: 'at most',
      detail: `${browsers.length} browsers in ${seconds} s`,
    },
  ];
}

async function openIdleSockets(server: MeasuredProcess, count: number, connect: (index: number) => Promise<RawSocket>) {
  // Warm-up, so that one-time costs do not count.
  for (const socket of await Promise.all(Array.from({ length: CONCURRENCY }, (_, index) => connect(index))))
    socket.close();
  await delay(SETTLE_MS);
  const before = server.residentMb();
  const sockets: RawSocket[] = [];
  for (let from = 0; from < count; from += CONCURRENCY)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(CONCURRENCY, count - from) }, (_, index) => connect(from + index)),
      )),
    );
  await delay(SETTLE_MS);
  return { mb: server.residentMb() - before, sockets };
}
