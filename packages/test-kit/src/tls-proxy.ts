import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import type { Certificates } from './certificates.ts';

/** A TLS proxy to a server without TLS: traffic is forwarded unencrypted over loopback. */
export async function startTlsProxy(target: URL, { cert, key }: Pick<Certificates, 'cert' | 'key'>) {
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) socket.on('error', () => socket.destroy());
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
