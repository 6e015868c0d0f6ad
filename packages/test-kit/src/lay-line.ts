import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network line to one server that can be cut, for real: open connections break, and new ones at once. */
export type Line = {
  /** The server's address by this way. */
  url: string;
  cut(): void;
  /** Loses everything from now on without a word, as a machine without power does; `mend` takes what was open for lost. */
  stall(): void;
  mend(): void;
  close(): Promise<void>;
};

/** Lays a line to the port of `target`, on which answers travel for `delayMs`, so that what one reads is old by then. */
export async function layLine(target: string, { delayMs = 0 } = {}): Promise<Line> {
  const { hostname, port: targetPort } = new URL(target);
  const open = new Set<Socket>();
  let isCut = false;
  let isStalled = false;
  // It keeps listening while it is cut: a port that was given up could be another's when the line is mended.
  const server = createServer((near) => {
    if (isCut) return void near.resetAndDestroy();
    if (isStalled) return void open.add(near.on('error', () => undefined));
    const far = connect(Number(targetPort), hostname);
    near.pipe(far);
    if (delayMs > 0) far.on('data', (chunk) => setTimeout(() => near.write(chunk), delayMs));
    else far.pipe(near);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(port) }).href.replace(/\/$/, ''),
    cut,
    stall() {
      isStalled = true;
      for (const socket of open) socket.unpipe().removeAllListeners('data').pause();
    },
    mend() {
      if (isStalled) cut();
      isCut = false;
      isStalled = false;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
