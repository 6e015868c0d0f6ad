import { once } from 'node:events';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, it } from '@jest/globals';
import express from 'express';
import { createClientInfoResolver, createProxyTrust } from '../http/client-info.ts';
import { listen, localUrl } from './http-server.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => once(server.close(), 'close'))));

async function startEchoServer(host: string, proxies: string[]): Promise<number> {
  const app = express();
  const resolveClientInfo = createClientInfoResolver(createProxyTrust(proxies));
  app.get('/', (req, res) => void res.send(resolveClientInfo(req).address));
  const server = createServer(app);
  servers.push(server);
  return listen(server, 0, host);
}

const fetchText = async (url: string) =>
  (await fetch(url, { headers: { 'x-forwarded-for': '192.0.2.1', connection: 'close' } })).text();
const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

it('listen accepts IPv4 on `::` and recognizes a proxy by its IPv4 address', async () => {
  expect(await fetchText(localUrl('127.0.0.1', await startEchoServer('::', ['127.0.0.0/8'])))).toBe('192.0.2.1');
  expect(await fetchText(localUrl('127.0.0.1', await startEchoServer('::', ['10.0.0.0/8'])))).toBe('127.0.0.1');
});

(hasIpv6 ? it : it.skip)('listen accepts IPv6 on `::`', async () => {
  expect(await fetchText(localUrl('::1', await startEchoServer('::', ['::1'])))).toBe('192.0.2.1');
});

it('listen binds only the requested address, and rejects with the reason if it cannot', async () => {
  const port = await startEchoServer('127.0.0.1', []);
  await expect(fetchText(localUrl('127.0.0.2', port))).rejects.toThrow();
  await expect(listen(createServer(), port, '127.0.0.1')).rejects.toThrow('EADDRINUSE');
});
