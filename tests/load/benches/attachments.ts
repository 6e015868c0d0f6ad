import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { measureLatencies, type Room, SOCKETS } from '../delivery.ts';
import { type Figure, percentile } from '../figures.ts';
import { createHttpSender } from '../http-sender.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { findListeningProcess, type MeasuredProcess } from '../processes.ts';

const UPLOADS = 16;
const FILE_BYTES = 200 * 1024 * 1024;
const RATE = 20;
const BASELINE_MS = 20_000;

/**
 * Measures how 16 uploads of 200 MB slow down 20 messages per second to 200 sockets, with and without a separate
 * process for uploads. Sender, gateway, upload process, and store share one machine with the sockets here. The delivery
 * is therefore also measured next to processes that only use the same CPU share, and with the file processes at a lower
 * priority, which corresponds to separate machines or a cluster's CPU shares.
 */
export async function benchAttachments(environment: LoadEnvironment): Promise<Figure[]> {
  const chat = await environment.startService('chat');
  const files = await environment.startService('chat', 'chat', { env: { CHAT_ROLE: 'files' } });
  const separateGateway = await environment.startGateway({ CHAT_URL: chat.url, CHAT_FILES_URL: files.url });
  const sharedGateway = await environment.startGateway({ CHAT_URL: chat.url });
  try {
    const tokens = await Promise.all(Array.from({ length: SOCKETS }, (_, index) => environment.tokenOf(index)));
    const conversation = await environment.createConversation(chat.url, SOCKETS);
    const room: Room = {
      name: 'chat',
      // Connects directly to chat, like the ingress of a cluster.
      url: chat.url,
      namespace: '/chat',
      auth: (index) => ({ token: tokens[index] }),
      sender: createHttpSender(`${chat.url}/api/chat/messages`, { authorization: `Bearer ${tokens[0]}` }),
      body: (content) => ({ conversation, content }),
    };
    const uploadTarget = await environment.createConversation(chat.url, UPLOADS + 1);
    const upload = (gateway: MeasuredProcess) =>
      sendFiles({ url: gateway.url, conversation: uploadTarget, tokens: tokens.slice(1, UPLOADS + 1) });
    const p99 = async (work: () => Promise<unknown>) => {
      const startedAt = performance.now();
      const ms = percentile(await measureLatencies(room, RATE, work), 0.99);
      return { ms, seconds: (performance.now() - startedAt) / 1000 };
    };
    const store = findListeningProcess(environment.storeEnv.S3_ENDPOINT);
    const fileProcesses = { gateway: separateGateway, files, store };
    const withoutUploads = await p99(() => new Promise((resolve) => setTimeout(resolve, BASELINE_MS)));
    const cpuBefore = Object.values(fileProcesses).map((measured) => measured.cpuSeconds());
    const duringUploads = await p99(() => upload(separateGateway));
    const shares = Object.values(fileProcesses).map(
      (measured, index) => (measured.cpuSeconds() - (cpuBefore[index] ?? 0)) / duringUploads.seconds,
    );
    const duringBurn = await p99(() => runBurners(shares, duringUploads.seconds));
    setPriorities(fileProcesses, constants.priority.PRIORITY_LOW);
    const withLowPriority = await p99(() => upload(separateGateway));
    setPriorities(fileProcesses, constants.priority.PRIORITY_NORMAL);
    const withSharedProcess = await p99(() => upload(sharedGateway));
    const formatLatency = (measured: typeof withoutUploads) =>
      `${measured.ms.toFixed(1)} ms over ${measured.seconds.toFixed(0)} s`;
    return [
      {
        name: '99th percentile of deliveries during 16 uploads of 200 MB, against none',
        value: duringUploads.ms / withoutUploads.ms,
        unit: '×',
        limit: 1.5,
        sense: 'at most',
        detail: `${formatLatency(duringUploads)} against ${formatLatency(withoutUploads)}`,
      },
      {
        name: 'the same next to processes that only use the same CPU share',
        value: duringBurn.ms / withoutUploads.ms,
        unit: '×',
        limit: null,
        sense: 'at most',
        detail: `${formatLatency(duringBurn)}; ${Object.keys(fileProcesses)
          .map((name, index) => `${name} ${shares[index]?.toFixed(2)}`)
          .join(', ')} of a processor`,
      },
      {
        name: 'the same with a lower priority for the processes that handle files',
        value: withLowPriority.ms / withoutUploads.ms,
        unit: '×',
        limit: 1.5,
        sense: 'at most',
        detail: formatLatency(withLowPriority),
      },
      {
        name: 'the same with uploads through the process that has the sockets',
        value: withSharedProcess.ms / withoutUploads.ms,
        unit: '×',
        limit: null,
        sense: 'at most',
        detail: formatLatency(withSharedProcess),
      },
    ];
  } finally {
    await Promise.all([separateGateway.stop(), sharedGateway.stop(), files.stop(), chat.stop()]);
  }
}

/** Sets the priority of every thread. */
function setPriorities(processes: Record<string, { pid: number }>, priority: number): void {
  for (const { pid } of Object.values(processes))
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), priority);
}

/** Runs one process per share, each of which uses that share of a core. */
async function runBurners(shares: readonly number[], seconds: number): Promise<void> {
  const burners = shares.map((share) =>
    spawn(process.execPath, ['tests/load/baselines/burn.ts', String(Math.min(1, share))], { stdio: 'ignore' }),
  );
  await delay(seconds * 1000);
  const exits = burners.map((burner) => once(burner, 'exit'));
  for (const burner of burners) burner.kill();
  await Promise.all(exits);
}

type SendFilesParams = { url: string; conversation: string; tokens: string[] };

async function sendFiles(params: SendFilesParams): Promise<void> {
  const child = spawn(
    process.execPath,
    ['tests/load/baselines/send-files.ts', JSON.stringify({ ...params, bytes: FILE_BYTES })],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`uploads exited with ${code}`);
}
