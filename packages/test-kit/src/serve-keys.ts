import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JSONWebKeySet } from 'jose';

/** Serves the key set with which services verify tokens, for `AUTH_JWKS_URL`, in place of the auth service. */
export async function serveKeys(jwks: JSONWebKeySet): Promise<{ url: string; close(): void }> {
  const server = createServer((_req, res) =>
    res.setHeader('content-type', 'application/json').end(JSON.stringify(jwks)),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`, close: () => server.close() };
}
