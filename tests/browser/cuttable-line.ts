import { connect, createServer, type Socket } from 'node:net';

/** A network line between one browser and the gateway that can be cut, for real: open connections break, and new ones at once. */
export type CuttableLine = { url: string; cut(): void; mend(): void; close(): Promise<void> };

/** Lays a line to the port of `target`. */
export async function layLine(target: string): Promise<CuttableLine> {
  const { hostname, port: targetPort } = new URL(target);
  const open = new Set<Socket>();
  let isCut = false;
  // It keeps listening while it is cut: a port that was given up could be another's when the line is mended.
  const server = createServer((near: Socket) => {
    if (isCut) return void near.resetAndDestroy();
    const far = connect(Number(targetPort), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    mend() {
      isCut = false;
    },
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
