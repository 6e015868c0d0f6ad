import { createServer } from 'node:http';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { listen, localUrl } from '@atrium/service-kit/process/http-server';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Server } from 'socket.io';
import { io, type Socket } from 'socket.io-client';
import { createConnectionLimits } from './connection-limits.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(overrides: { RATE_LIMIT_SOCKET?: number; MAX_CONNECTIONS_PER_IP?: number }) {
  const config = { RATE_LIMIT_SOCKET: 100, MAX_CONNECTIONS_PER_IP: 100, CORS_ORIGINS: ['https://friend.example.org'] };
  const proxies = { TRUSTED_PROXIES: ['127.0.0.1'] };
  const limits = createConnectionLimits({ ...config, ...proxies, ...overrides }, createLogger('chat', 'silent'));
  const server = createServer();
  const sockets = new Server({ transports: ['websocket'] });
  sockets.attach(server, {
    allowRequest: (req, done) => {
      const rejection = limits.checkHandshake(req);
      done(rejection, rejection === undefined);
    },
  });
  limits.track(sockets);
  const url = localUrl('127.0.0.1', await listen(server, 0, '127.0.0.1'));
  closers.push(() => sockets.close());
  return {
    url,
    async connect(address: string, headers: Record<string, string> = {}): Promise<Socket | undefined> {
      const extraHeaders = { 'x-forwarded-for': address, ...headers };
      const socket = io(url, { transports: ['websocket'], forceNew: true, reconnection: false, extraHeaders });
      closers.push(() => socket.disconnect());
      await new Promise<void>((resolve) => {
        socket.once('connect', resolve);
        socket.once('connect_error', () => resolve());
      });
      return socket.connected ? socket : undefined;
    },
  };
}

const ADDRESS = '198.51.100.4:4711';

describe('connection limits', () => {
  it('accept the same origin, configured origins, and requests without an origin, and reject others', async () => {
    const { url, connect } = await start({});
    for (const origin of [url, 'https://friend.example.org']) expect(await connect(ADDRESS, { origin })).toBeDefined();
    expect(await connect(ADDRESS)).toBeDefined();
    for (const origin of ['https://evil.example.org', 'null'])
      expect(await connect(ADDRESS, { origin })).toBeUndefined();
  });

  it('bound the handshakes per IP address and minute', async () => {
    const { connect } = await start({ RATE_LIMIT_SOCKET: 2 });
    const firstSocket = await connect(ADDRESS);
    firstSocket?.disconnect();
    expect(await connect(ADDRESS)).toBeDefined();
    expect(await connect(ADDRESS)).toBeUndefined();
    expect(await connect('198.51.100.5')).toBeDefined();
  });

  it('bound the open connections per IPv4 address or IPv6 /64', async () => {
    const { connect } = await start({ MAX_CONNECTIONS_PER_IP: 1 });
    const firstSocket = await connect('2001:db8::1');
    expect(firstSocket).toBeDefined();
    expect(await connect('2001:db8::2')).toBeUndefined();
    expect(await connect('2001:db8:0:1::2')).toBeDefined();
  });
});
