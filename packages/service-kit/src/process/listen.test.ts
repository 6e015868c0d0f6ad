import { once } from 'node:events';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, it } from '@jest/globals';
import express from 'express';
import { createOriginFinder, createProxyTrust } from '../http/request-origin.ts';
import { listen, localUrl } from './http-server.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => once(server.close(), 'close'))));

async function startMirror(host: string, proxies: string[]): Promise<number> {
  const app = express();
  const originOf = createOriginFinder(createProxyTrust(proxies));
  app.get('/', (req, res) => void res.send(originOf(req).address));
  const server = createServer(app);
  servers.push(server);
  return listen(server, 0, host);
}

const ask = async (url: string) =>
  (await fetch(url, { headers: { 'x-forwarded-for': '192.0.2.1', connection: 'close' } })).text();
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

it('listen accepts IPv4 on `::` and recognizes a proxy by its IPv4 address', async () => {
  expect(await ask(localUrl('127.0.0.1', await startMirror('::', ['127.0.0.0/8'])))).toBe('192.0.2.1');
  expect(await ask(localUrl('127.0.0.1', await startMirror('::', ['10.0.0.0/8'])))).toBe('127.0.0.1');
});

(hasIpv6 ? it : it.skip)('serves IPv6 on `::`', async () => {
  expect(await ask(localUrl('::1', await startMirror('::', ['::1'])))).toBe('192.0.2.1');
});

it('listen binds only the given address and reports why it cannot', async () => {
  const port = await startMirror('127.0.0.1', []);
  await expect(ask(localUrl('127.0.0.2', port))).rejects.toThrow();
  await expect(listen(createServer(), port, '127.0.0.1')).rejects.toThrow('EADDRINUSE');
});
