import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createSeededRandom } from './seeded-random.ts';

/** How a line carries what is given to it; without any of these at once, whole and for ever. */
export type NetworkConditions = {
  /** How long answers are on their way. */
  delayMs?: number;
  /** Up to how much longer, each by chance; none overtakes the one before. */
  jitterMs?: number;
  /** The most that passes in a second, each way. */
  bytesPerSecond?: number;
  /** The share of connections that are reset, each somewhere within its first so many bytes of answers. */
  resets?: { share: number; withinBytes: number };
};

/** A network line to one server that can be spoiled, for real. */
export type FaultyProxy = {
  /** The server's address by this way. */
  url: string;
  /** Carries in that manner from now on, also what is open; resets concern new connections, and open ones once something comes by them. */
  carry(manner: NetworkConditions): void;
  /** Open connections break, and new ones at once. */
  cut(): void;
  /** Loses everything from now on without a word, as a machine without power does; `mend` takes what was open for lost. */
  stall(): void;
  /** New connections are accepted and never answered, while open ones go on. */
  halfOpen(): void;
  /** As it was laid. */
  mend(): void;
  close(): Promise<void>;
};

type State = 'whole' | 'cut' | 'stalled' | 'half open';

/** How much may be on its way in one direction until its sender has to wait. */
const ON_THE_WAY_BYTES = 256 * 1024;

/** Lays a line to the port of `target`. `seed` makes its chances the same each time. */
export async function createFaultyProxy(
  target: string,
  { seed = 1, ...laid }: NetworkConditions & { seed?: number } = {},
): Promise<FaultyProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const rng = createSeededRandom(seed);
  const open = new Set<Socket>();
  const unanswered = new Set<Socket>();
  let state: State = 'whole';
  let manner: NetworkConditions = laid;
  // It keeps listening while it is cut: a port that was given up could be another's when the line is mended.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (state === 'cut') return void near.resetAndDestroy();
    const among = state === 'whole' ? open : unanswered;
    among.add(near.on('error', () => undefined).on('close', () => among.delete(near)));
    if (state !== 'whole') return;
    const host = hostname.replace(/^\[|\]$/g, '');
    const far = connect({ port: Number(targetPort), host, allowHalfOpen: true });
    open.add(far.on('close', () => open.delete(far)));
    join(near, far, { manner: () => manner, rng });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const breakAll = (...some: ReadonlySet<Socket>[]) => {
    for (const sockets of some) for (const socket of sockets) socket.destroy();
  };
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(port) }).href.replace(/\/$/, ''),
    carry(wanted) {
      manner = wanted;
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
    mend() {
      // What was lost, or has never reached the other side, cannot go on.
      if (state === 'stalled') breakAll(open);
      breakAll(unanswered);
      state = 'whole';
      manner = laid;
    },
    async close() {
      state = 'cut';
      breakAll(open, unanswered);
      server.close();
      await once(server, 'close');
    },
  };
}

type Carrying = { manner: () => NetworkConditions; rng: () => number };

function join(near: Socket, far: Socket, { manner, rng }: Carrying): void {
  let answered = 0;
  let doomedAt: number | undefined;
  const doom = (bytes: number) => {
    const { resets } = manner();
    if (!resets) return false;
    doomedAt ??= rng() < resets.share ? answered + rng() * resets.withinBytes : Number.POSITIVE_INFINITY;
    answered += bytes;
    if (answered < doomedAt) return false;
    near.resetAndDestroy();
    return true;
  };
  const delay = () => (manner().delayMs ?? 0) + (manner().jitterMs ?? 0) * rng();
  carry(near, far, { delay: () => 0, pace: () => manner().bytesPerSecond });
  carry(far, near, { delay, pace: () => manner().bytesPerSecond, stops: doom });
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.setNoDelay(true);
    from.on('error', () => to.destroy());
  }
}

type Way = { delay: () => number; pace: () => number | undefined; stops?: (bytes: number) => boolean };

/** Passes on what comes, in order, each piece when its time has come. */
function carry(from: Socket, to: Socket, { delay, pace, stops = () => false }: Way): void {
  let waiting = 0;
  let free = 0;
  // One after the other: of two timers the later one may fire first, as each begins with the moment in which its turn of the loop did.
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
    if (waiting > ON_THE_WAY_BYTES) from.pause();
    later(due, () => {
      waiting -= chunk.length;
      // What was stalled meanwhile is lost.
      if (from.listenerCount('data') === 0) return;
      to.write(chunk);
      if (waiting <= ON_THE_WAY_BYTES) from.resume();
    });
  });
  to.on('drain', () => from.resume());
  // What is on its way comes before the end.
  const end = () => later(free, () => to.end());
  from.on('end', end).on('close', end);
}
