import { connect, createServer, type Server, type Socket } from 'node:net';

/** A network line between one browser and the gateway that can be cut, for real: open connections break, new ones are refused. */
export type CuttableLine = { url: string; cut(): Promise<void>; mend(): Promise<void>; close(): Promise<void> };

/** Lays a line to the port of `target`. */
export async function layLine(target: string): Promise<CuttableLine> {
  const { hostname, port: targetPort } = new URL(target);
  const open = new Set<Socket>();
  const accept = (near: Socket) => {
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
  };
  let server: Server = createServer(accept);
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  const { port } = address;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    async mend() {
      server = createServer(accept);
      await listen(port);
    },
    close: cut,
  };
}
