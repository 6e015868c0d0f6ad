import type { AddressInfo, Server } from 'node:net';

/**
 * Has a server listen at an address of this machine, and says by which port. `::` is all of them, of IPv4 as well: left to Node, which
 * takes `0.0.0.0` where a kernel knows no IPv6.
 */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host === '::' ? undefined : host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** The address of what listens there, for this machine. */
export const localUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
