import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** Stands before a server and hands on what it answers only after a while, so that what one reads is old by then. */
export async function aSlowServer(serverUrl: string, delayMs: number) {
  const target = new URL(serverUrl);
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    near.pipe(far);
    far.on('data', (chunk) => setTimeout(() => near.write(chunk), delayMs));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    close: () => server.close(),
  };
}
