import type { AddressInfo, Server } from 'node:net';

/**
 * Binds a server to an address of this machine and returns the port. `::` means all, including IPv4; Node falls back
 * to `0.0.0.0` if the kernel has no IPv6.
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

export const localUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
