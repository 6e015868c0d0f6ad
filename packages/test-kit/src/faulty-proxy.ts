import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createSeededRandom } from './seeded-random.ts';

export type NetworkConditions = {
  delayMs?: number;
  /** Maximum additional random latency; the order is preserved. */
  jitterMs?: number;
  bytesPerSecond?: number;
  /** The share of connections that are reset within the first bytes of their responses. */
  resets?: { share: number; withinBytes: number };
};

export type FaultyProxy = {
  url: string;
  /** Applies to new connections, and to open ones from their next data on. */
  setConditions(conditions: NetworkConditions): void;
  /** Closes open connections and resets new ones, until `restore`. */
  cut(): void;
  /** Drops all data silently, like a machine without power. `restore` closes the affected connections. */
  stall(): void;
  /** Accepts new connections but never responds to them, while open ones continue. */
  halfOpen(): void;
  restore(): void;
  close(): Promise<void>;
};

type State = 'normal' | 'cut' | 'stalled' | 'half open';

/** Maximum bytes in flight per direction before the sender must wait. */
const MAX_IN_FLIGHT_BYTES = 256 * 1024;

/** Starts a proxy to the port of `target`. `seed` makes the random faults reproducible. */
export async function createFaultyProxy(
  target: string,
  { seed = 1, ...initialConditions }: NetworkConditions & { seed?: number } = {},
): Promise<FaultyProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const random = createSeededRandom(seed);
  const openSockets = new Set<Socket>();
  const ignoredSockets = new Set<Socket>();
  let state: State = 'normal';
  let conditions: NetworkConditions = initialConditions;
  // The server keeps listening while it is cut, because another process could take a released port.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (state === 'cut') return void client.resetAndDestroy();
    const sockets = state === 'normal' ? openSockets : ignoredSockets;
    sockets.add(client.on('error', () => undefined).on('close', () => sockets.delete(client)));
    if (state !== 'normal') return;
    const host = hostname.replace(/^\[|\]$/g, '');
    const upstream = connect({ port: Number(targetPort), host, allowHalfOpen: true });
    openSockets.add(upstream.on('close', () => openSockets.delete(upstream)));
    forwardBoth(client, upstream, { getConditions: () => conditions, random });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const destroyAll = (...socketSets: ReadonlySet<Socket>[]) => {
    for (const sockets of socketSets) for (const socket of sockets) socket.destroy();
  };
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(port) }).href.replace(/\/$/, ''),
    setConditions(newConditions) {
      conditions = newConditions;
    },
    cut() {
      state = 'cut';
      destroyAll(openSockets, ignoredSockets);
    },
    stall() {
      state = 'stalled';
      for (const socket of openSockets) socket.removeAllListeners('data').removeAllListeners('drain').pause();
    },
    halfOpen() {
      state = 'half open';
    },
    restore() {
      // Connections with dropped data cannot continue.
      if (state === 'stalled') destroyAll(openSockets);
      destroyAll(ignoredSockets);
      state = 'normal';
      conditions = initialConditions;
    },
    async close() {
      state = 'cut';
      destroyAll(openSockets, ignoredSockets);
      server.close();
      await once(server, 'close');
    },
  };
}

type ForwardBothOptions = { getConditions: () => NetworkConditions; random: () => number };

/** Forwards requests without a delay, and responses with the delays and resets of the conditions. */
function forwardBoth(client: Socket, upstream: Socket, { getConditions, random }: ForwardBothOptions): void {
  let responseBytes = 0;
  let resetAtByte: number | undefined;
  const resetIfDue = (bytes: number) => {
    const { resets } = getConditions();
    if (!resets) return false;
    resetAtByte ??= random() < resets.share ? responseBytes + random() * resets.withinBytes : Number.POSITIVE_INFINITY;
    responseBytes += bytes;
    if (responseBytes < resetAtByte) return false;
    client.resetAndDestroy();
    return true;
  };
  const getBytesPerSecond = () => getConditions().bytesPerSecond;
  const getDelayMs = () => (getConditions().delayMs ?? 0) + (getConditions().jitterMs ?? 0) * random();
  forward(client, upstream, { getDelayMs: () => 0, getBytesPerSecond });
  forward(upstream, client, { getDelayMs, getBytesPerSecond, resetIfDue });
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    from.setNoDelay(true);
    from.on('error', () => to.destroy());
  }
}

type ForwardOptions = {
  getDelayMs: () => number;
  getBytesPerSecond: () => number | undefined;
  /** Resets the connection if it is due within the next bytes, and returns whether it did. */
  resetIfDue?: (bytes: number) => boolean;
};

/** Forwards data in order, each chunk when it is due. */
function forward(
  from: Socket,
  to: Socket,
  { getDelayMs, getBytesPerSecond, resetIfDue = () => false }: ForwardOptions,
): void {
  let queuedBytes = 0;
  let lastDueAt = 0;
  // A queue with one timer keeps the order. With a timer per chunk, a later one could fire first.
  const queue: { dueAt: number; run: () => void }[] = [];
  const wakeAt = (dueAt: number) => void setTimeout(runDue, Math.max(1, Math.ceil(dueAt - performance.now())));
  const runDue = () => {
    for (let first = queue[0]; first && first.dueAt <= performance.now(); first = queue[0]) {
      queue.shift();
      if (!to.destroyed) first.run();
    }
    if (queue[0]) wakeAt(queue[0].dueAt);
  };
  const schedule = (dueAt: number, run: () => void) => {
    if (queue.push({ dueAt, run }) === 1) wakeAt(dueAt);
  };
  const computeDueAt = (bytes: number) => {
    const rate = getBytesPerSecond();
    lastDueAt = Math.max(lastDueAt, performance.now() + getDelayMs()) + (rate ? (bytes / rate) * 1_000 : 0);
    return lastDueAt;
  };
  from.on('data', (chunk: Buffer) => {
    if (resetIfDue(chunk.length)) return;
    const dueAt = computeDueAt(chunk.length);
    if (dueAt <= performance.now() && queuedBytes === 0) {
      if (!to.write(chunk)) from.pause();
      return;
    }
    queuedBytes += chunk.length;
    if (queuedBytes > MAX_IN_FLIGHT_BYTES) from.pause();
    schedule(dueAt, () => {
      queuedBytes -= chunk.length;
      // Data received while stalled is lost.
      if (from.listenerCount('data') === 0) return;
      to.write(chunk);
      if (queuedBytes <= MAX_IN_FLIGHT_BYTES) from.resume();
    });
  });
  to.on('drain', () => from.resume());
  // The end is scheduled after all queued data.
  const end = () => schedule(lastDueAt, () => to.end());
  from.on('end', end).on('close', end);
}
