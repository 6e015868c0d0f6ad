import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { latenciesWhile, type Room, SOCKETS } from '../delivery.ts';
import { type Figure, percentile } from '../figures.ts';
import type { World } from '../load-environment.ts';
import { listenerAt, type Measured } from '../processes.ts';

const UPLOADS = 16;
const FILE_BYTES = 200 * 1024 * 1024;
const RATE = 20;
const ALONE_MS = 20_000;

/**
 * What 16 uploads of 200 MB cost 20 messages a second to 200 sockets: past the sockets as they go, and through the same process. Whoever
 * uploads, the gateway, what takes in files and the store are on the machine of the sockets here, and all want a processor. So the same is
 * measured beside processes that take as much of it and have nothing to do with us, and with what passes files weighed below the sockets,
 * as machines of their own or a cluster's shares have it.
 */
export async function benchAttachments(world: World): Promise<Figure[]> {
  const chat = await world.startService('chat');
  const files = await world.startService('chat', 'chat', { env: { CHAT_ROLE: 'files' } });
  const divided = await world.startGateway({ CHAT_URL: chat.url, CHAT_FILES_URL: files.url });
  const whole = await world.startGateway({ CHAT_URL: chat.url });
  try {
    const tokens = await Promise.all(Array.from({ length: SOCKETS }, (_, index) => world.tokenOf(index)));
    const conversation = await world.makeConversation(chat.url, SOCKETS);
    const room: Room = {
      name: 'chat',
      // As a cluster's ingress does it.
      url: chat.url,
      namespace: '/chat',
      auth: (index) => ({ token: tokens[index] }),
      send: (socket, content) => socket.emit('message:send', { conversation, content }),
    };
    const place = await world.makeConversation(chat.url, UPLOADS + 1);
    const upload = (gateway: Measured) =>
      sendFiles({ url: gateway.url, conversation: place, tokens: tokens.slice(1, UPLOADS + 1) });
    const p99 = async (work: () => Promise<unknown>) => {
      const began = performance.now();
      const ms = percentile(await latenciesWhile(room, RATE, work), 0.99);
      return { ms, seconds: (performance.now() - began) / 1000 };
    };
    const store = listenerAt(world.storeEnv.S3_ENDPOINT);
    const passing = { gateway: divided, files, store };
    const alone = await p99(() => new Promise((resolve) => setTimeout(resolve, ALONE_MS)));
    const before = Object.values(passing).map((one) => one.cpuSeconds());
    const beside = await p99(() => upload(divided));
    const shares = Object.values(passing).map((one, at) => (one.cpuSeconds() - (before[at] ?? 0)) / beside.seconds);
    const burnt = await p99(() => burn(shares, beside.seconds));
    weigh(passing, constants.priority.PRIORITY_LOW);
    const weighed = await p99(() => upload(divided));
    weigh(passing, constants.priority.PRIORITY_NORMAL);
    const through = await p99(() => upload(whole));
    const words = (one: typeof alone) => `${one.ms.toFixed(1)} ms over ${one.seconds.toFixed(0)} s`;
    return [
      {
        what: 'the 99th percentile of deliveries beside 16 uploads of 200 MB, against none',
        value: beside.ms / alone.ms,
        unit: '×',
        limit: 1.5,
        sense: 'at most',
        detail: `${words(beside)} against ${words(alone)}`,
      },
      {
        what: 'the same beside processes that take as much of the processors and do nothing',
        value: burnt.ms / alone.ms,
        unit: '×',
        limit: null,
        sense: 'at most',
        detail: `${words(burnt)}; ${Object.keys(passing)
          .map((name, at) => `${name} ${shares[at]?.toFixed(2)}`)
          .join(', ')} of a processor`,
      },
      {
        what: 'the same with what passes files weighed below the sockets',
        value: weighed.ms / alone.ms,
        unit: '×',
        limit: 1.5,
        sense: 'at most',
        detail: words(weighed),
      },
      {
        what: 'the same with the uploads through the process that has the sockets',
        value: through.ms / alone.ms,
        unit: '×',
        limit: null,
        sense: 'at most',
        detail: words(through),
      },
    ];
  } finally {
    await Promise.all([divided.stop(), whole.stop(), files.stop(), chat.stop()]);
  }
}

/** Each of their threads, as Linux counts them. */
function weigh(processes: Record<string, { pid: number }>, priority: number): void {
  for (const { pid } of Object.values(processes))
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), priority);
}

/** As many processes, each of which takes that share of a processor, for so long. */
async function burn(shares: readonly number[], seconds: number): Promise<void> {
  const burners = shares.map((share) =>
    spawn(process.execPath, ['tests/load/baselines/burn.ts', String(Math.min(1, share))], { stdio: 'ignore' }),
  );
  await delay(seconds * 1000);
  const ended = burners.map((one) => once(one, 'exit'));
  for (const one of burners) one.kill();
  await Promise.all(ended);
}

type Sending = { url: string; conversation: string; tokens: string[] };

async function sendFiles(sending: Sending): Promise<void> {
  const child = spawn(
    process.execPath,
    ['tests/load/baselines/send-files.ts', JSON.stringify({ ...sending, bytes: FILE_BYTES })],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the uploads ended with ${code}`);
}
