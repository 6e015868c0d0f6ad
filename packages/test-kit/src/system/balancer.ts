import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Target = { port: number; readyUrl: string };

export type Balancer = {
  port: number;
  /** It receives connections once it is ready. */
  add(target: Target): Promise<void>;
  /** Removes it immediately; its open connections remain. */
  remove(target: Target): void;
  close(): Promise<void>;
};

const POLL_MS = 250;

type Known = Target & { ready: boolean; open: Set<Socket> };

/** Connections go to the ready process with the fewest, and stay there until one side closes them. */
export async function openBalancer(port: number): Promise<Balancer> {
  const known = new Set<Known>();
  const closing = new AbortController();
  const server = createServer((near) => {
    const [to] = [...known].filter(({ ready }) => ready).sort((a, b) => a.open.size - b.open.size);
    if (!to) return void near.resetAndDestroy();
    join(near, to);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const polling = pollReadiness(known, closing.signal);
  return {
    port,
    async add(target) {
      known.add({ ...target, ready: await isReady(target), open: new Set() });
    },
    remove(target) {
      for (const process of known) if (process.port === target.port) known.delete(process);
    },
    async close() {
      closing.abort();
      await polling;
      server.close();
      for (const { open } of known) for (const socket of open) socket.destroy();
    },
  };
}

/** Polls the readiness probe, as a cluster does. */
async function pollReadiness(known: ReadonlySet<Known>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const looked = [...known].map(async (target) => {
      target.ready = await isReady(target);
    });
    await Promise.all(looked);
    await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
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

function join(near: Socket, { port, open }: Known): void {
  const far = connect(port, '127.0.0.1');
  open.add(near);
  near.pipe(far);
  far.pipe(near);
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.setNoDelay(true);
    // Node may never close the connection of a killed process, which would keep this one alive.
    from.unref();
    // Resets are forwarded; piping alone forwards only an orderly end.
    from.on('error', () => to.resetAndDestroy());
    from.on('close', () => {
      open.delete(near);
      to.destroy();
    });
  }
}
