import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between the service and one of its servers, so that a test can take that server away and bring it back. */
export async function anOutage(serverUrl: string) {
  const target = new URL(serverUrl);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const begin = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of open) socket.destroy();
    await once(server, 'close');
  };
  return {
    /** The server's address by this way. */
    url: Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    begin,
    end: () => listen(port),
  };
}
