import '../page.ts';
import { createServer, type IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { openBareClients } from './bare-clients.ts';
import { reportDelivery } from './delivery-report.ts';
import type { Commands } from './load-commands.ts';
import { monotonicMs } from './monotonic-clock.ts';
import { saveRecording } from './recording.ts';
import { openThinClients } from './thin-clients.ts';

/** Runs the thin clients in a process of their own, at the commands of the scenario. */
let thin: Awaited<ReturnType<typeof openThinClients>> | undefined;
let bare: Awaited<ReturnType<typeof openBareClients>> | undefined;
let clients = 0;
let begunAt = 0;
const loopDelay = monitorEventLoopDelay({ resolution: 10 });

const getThin = () => {
  if (!thin) throw new Error('No clients are open');
  return thin;
};

const commands: { [Name in keyof Commands]: (input: Commands[Name]['input']) => Promise<Commands[Name]['output']> } = {
  async open({ urls, groups }) {
    clients = groups.reduce((sum, { users }) => sum + users.length, 0);
    thin = await openThinClients(urls, groups);
    return null;
  },
  async begin() {
    getThin().begin();
    begunAt = monotonicMs();
    loopDelay.reset();
    loopDelay.enable();
    return null;
  },
  async measure() {
    const delays = { p50: loopDelay.percentile(50), p99: loopDelay.percentile(99), max: loopDelay.max };
    loopDelay.reset();
    return {
      ...getThin().counts,
      loopDelayMs: { p50: delays.p50 / 1e6, p99: delays.p99 / 1e6, max: delays.max / 1e6 },
    };
  },
  async report({ recording, untilMs, ...input }) {
    const { groups, receipts, frames, counts, requestsByPath } = getThin();
    const recorded = frames.all().filter(({ firstAt }) => firstAt <= untilMs);
    return {
      ...reportDelivery({ groups, receipts }, input),
      ...counts,
      requestsByPath,
      shown: groups.map(({ model, hasEngine }) => (hasEngine ? model.shown() : {})),
      sent: saveRecording(recording, recorded, { clients, from: begunAt }),
    };
  },
  async close() {
    getThin().close();
    thin = undefined;
    return null;
  },
  async openBare({ url }) {
    bare = await openBareClients(url, clients);
    return null;
  },
  async closeBare() {
    const frames = bare?.frames() ?? 0;
    bare?.close();
    bare = undefined;
    return { frames };
  },
};

const handle = async (req: IncomingMessage): Promise<unknown> => {
  const name = (req.url ?? '').slice(1);
  if (!Object.hasOwn(commands, name)) return null;
  const input = await json(req);
  return commands[name as keyof Commands](input as never);
};

createServer((req, res) => {
  handle(req).then(
    (output) => res.end(JSON.stringify(output ?? null)),
    (error: unknown) => res.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
  );
}).listen(Number(process.env.PORT), '127.0.0.1');
