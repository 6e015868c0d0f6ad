import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createSeededRandom } from './seeded-random.ts';

export type NetworkConditions = {
  delayMs?: number;
  /** Maximum additional random latency; the order is preserved. */
  jitterMs?: number;
  bytesPerSecond?: number;
  /** The share of connections that are reset within their first bytes of responses. */
  resets?: { share: number; withinBytes: number };
};

export type FaultyProxy = {
  url: string;
  /** Resets apply to new connections, and to open ones with their next data. */
  setConditions(conditions: NetworkConditions): void;
  /** Breaks open and new connections. */
  cut(): void;
  /** Drops all data silently, like a machine without power; `restore` closes the affected connections. */
  stall(): void;
  /** Accepts new connections but never responds, while open ones continue. */
  halfOpen(): void;
  restore(): void;
  close(): Promise<void>;
};

type State = 'whole' | 'cut' | 'stalled' | 'half open';

/** Maximum bytes in flight per direction, before the sender must wait. */
const MAX_IN_FLIGHT_BYTES = 256 * 1024;

/** Starts a proxy to the port of `target`. `seed` makes the random faults reproducible. */
export async function createFaultyProxy(
  target: string,
  { seed = 1, ...initialConditions }: NetworkConditions & { seed?: number } = {},
): Promise<FaultyProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const rng = createSeededRandom(seed);
  const open = new Set<Socket>();
  const unanswered = new Set<Socket>();
  let state: State = 'whole';
  let conditions: NetworkConditions = initialConditions;
  // It keeps listening while it is cut: another process could take a released port.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (state === 'cut') return void near.resetAndDestroy();
    const among = state === 'whole' ? open : unanswered;
    among.add(near.on('error', () => undefined).on('close', () => among.delete(near)));
    if (state !== 'whole') return;
    const host = hostname.replace(/^\[|\]$/g, '');
    const far = connect({ port: Number(targetPort), host, allowHalfOpen: true });
    open.add(far.on('close', () => open.delete(far)));
    join(near, far, { conditions: () => conditions, rng });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const breakAll = (...some: ReadonlySet<Socket>[]) => {
    for (const sockets of some) for (const socket of sockets) socket.destroy();
  };
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(port) }).href.replace(/\/$/, ''),
    setConditions(wanted) {
      conditions = wanted;
    },
    cut() {
      state = 'cut';
      breakAll(open, unanswered);
    },
    stall() {
      state = 'stalled';
      for (const socket of open) socket.removeAllListeners('data').removeAllListeners('drain').pause();
    },
    halfOpen() {
      state = 'half open';
    },
    restore() {
      // Connections with dropped data cannot continue.
      if (state === 'stalled') breakAll(open);
      breakAll(unanswered);
      state = 'whole';
      conditions = initialConditions;
    },
    async close() {
      state = 'cut';
      breakAll(open, unanswered);
      server.close();
      await once(server, 'close');
    },
  };
}

type Carrying = { conditions: () => NetworkConditions; rng: () => number };

function join(near: Socket, far: Socket, { conditions, rng }: Carrying): void {
  let answered = 0;
  let doomedAt: number | undefined;
  const doom = (bytes: number) => {
    const { resets } = conditions();
    if (!resets) return false;
    doomedAt ??= rng() < resets.share ? answered + rng() * resets.withinBytes : Number.POSITIVE_INFINITY;
    answered += bytes;
    if (answered < doomedAt) return false;
    near.resetAndDestroy();
    return true;
  };
  const delay = () => (conditions().delayMs ?? 0) + (conditions().jitterMs ?? 0) * rng();
  forward(near, far, { delay: () => 0, pace: () => conditions().bytesPerSecond });
  forward(far, near, { delay, pace: () => conditions().bytesPerSecond, stops: doom });
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.setNoDelay(true);
    from.on('error', () => to.destroy());
  }
}

type Way = { delay: () => number; pace: () => number | undefined; stops?: (bytes: number) => boolean };

/** Forwards data in order, each chunk when it is due. */
function forward(from: Socket, to: Socket, { delay, pace, stops = () => false }: Way): void {
  let waiting = 0;
  let free = 0;
  // Sequential: of two timers the later one may fire first, as each starts with its event loop turn.
  const queue: { due: number; run: () => void }[] = [];
  const sleepUntil = (due: number) => void setTimeout(wake, Math.max(1, Math.ceil(due - performance.now())));
  const wake = () => {
    for (let first = queue[0]; first && first.due <= performance.now(); first = queue[0]) {
      queue.shift();
      if (!to.destroyed) first.run();
    }
    if (queue[0]) sleepUntil(queue[0].due);
  };
  const later = (due: number, run: () => void) => {
    if (queue.push({ due, run }) === 1) sleepUntil(due);
  };
  const dueAt = (bytes: number) => {
    const rate = pace();
    free = Math.max(free, performance.now() + delay()) + (rate ? (bytes / rate) * 1_000 : 0);
    return free;
  };
  from.on('data', (chunk: Buffer) => {
    if (stops(chunk.length)) return;
    const due = dueAt(chunk.length);
    if (due <= performance.now() && waiting === 0) {
      if (!to.write(chunk)) from.pause();
      return;
    }
    waiting += chunk.length;
    if (waiting > MAX_IN_FLIGHT_BYTES) from.pause();
    later(due, () => {
      waiting -= chunk.length;
      // Data received while stalled is lost.
      if (from.listenerCount('data') === 0) return;
      to.write(chunk);
      if (waiting <= MAX_IN_FLIGHT_BYTES) from.resume();
    });
  });
  to.on('drain', () => from.resume());
  // Pending data precedes the end.
  const end = () => later(free, () => to.end());
  from.on('end', end).on('close', end);
}
