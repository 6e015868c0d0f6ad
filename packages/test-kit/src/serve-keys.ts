import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JSONWebKeySet } from 'jose';

/** The key set that services verify tokens with, in the auth service's place, for `AUTH_JWKS_URL`. */
export async function serveKeys(jwks: JSONWebKeySet): Promise<{ url: string; close(): void }> {
  const server = createServer((_req, res) =>
    res.setHeader('content-type', 'application/json').end(JSON.stringify(jwks)),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`, close: () => server.close() };
}
