import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export type Target = { port: number; readyUrl: string };

export type Balancer = {
  port: number;
  /** Adds a target, which receives connections once it is ready. */
  add(target: Target): Promise<void>;
  /** Removes a target immediately. Its open connections remain. */
  remove(target: Target): void;
  close(): Promise<void>;
};

const POLL_MS = 250;

type TargetState = Target & { ready: boolean; openSockets: Set<Socket> };

/** Starts a TCP load balancer. Each connection goes to the ready target with the fewest open connections. */
export async function openBalancer(port: number): Promise<Balancer> {
  const targets = new Set<TargetState>();
  const closing = new AbortController();
  const server = createServer((client) => {
    const readyTargets = [...targets].filter(({ ready }) => ready);
    const [target] = readyTargets.sort((a, b) => a.openSockets.size - b.openSockets.size);
    if (!target) return void client.resetAndDestroy();
    connectToTarget(client, target);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const polling = pollReadiness(targets, closing.signal);
  return {
    port,
    async add(target) {
      targets.add({ ...target, ready: await isReady(target), openSockets: new Set() });
    },
    remove({ port: removedPort }) {
      for (const target of targets) if (target.port === removedPort) targets.delete(target);
    },
    async close() {
      closing.abort();
      await polling;
      server.close();
      for (const { openSockets } of targets) for (const socket of openSockets) socket.destroy();
    },
  };
}

/** Polls the readiness probes, as a cluster does. */
async function pollReadiness(targets: ReadonlySet<TargetState>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const polls = [...targets].map(async (target) => {
      target.ready = await isReady(target);
    });
    await Promise.all(polls);
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

const isReady = ({ readyUrl }: Target): Promise<boolean> =>
  fetch(readyUrl, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );

function connectToTarget(client: Socket, { port, openSockets }: TargetState): void {
  const upstream = connect(port, '127.0.0.1');
  openSockets.add(client);
  client.pipe(upstream);
  upstream.pipe(client);
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    from.setNoDelay(true);
    // Node may never close the connection to a killed process, which would keep this process alive.
    from.unref();
    // Forwards resets. A pipe forwards only an orderly end.
    from.on('error', () => to.resetAndDestroy());
    from.on('close', () => {
      openSockets.delete(client);
      to.destroy();
    });
  }
}
