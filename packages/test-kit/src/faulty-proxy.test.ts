import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFaultyProxy, type FaultyProxy } from './faulty-proxy.ts';

let echoServer: Server;
let target: string;
const proxies: FaultyProxy[] = [];
const sockets: Socket[] = [];

beforeEach(async () => {
  echoServer = createServer((socket) => void socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  await once(echoServer, 'listening');
  target = `tcp://127.0.0.1:${(echoServer.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const proxy of proxies.splice(0)) await proxy.close();
  echoServer.close();
});

async function createProxy(options: Parameters<typeof createFaultyProxy>[1] = {}): Promise<FaultyProxy> {
  const proxy = await createFaultyProxy(target, options);
  proxies.push(proxy);
  return proxy;
}

async function openConnection({ url }: FaultyProxy): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes and returns the milliseconds until all have been echoed. */
async function exchange(socket: Socket, bytes: number): Promise<number> {
  const startedAt = performance.now();
  let remaining = bytes;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const receive = (chunk: Buffer) => {
    remaining -= chunk.length;
    if (remaining === 0) resolve();
  };
  socket.on('data', receive).once('close', () => reject(new Error('The connection was closed')));
  socket.write(Buffer.alloc(bytes));
  await promise;
  socket.off('data', receive);
  return performance.now() - startedAt;
}

describe('createFaultyProxy', () => {
  it('delays responses without closing connections', async () => {
    const proxy = await createProxy();
    const socket = await openConnection(proxy);
    await exchange(socket, 10);
    proxy.setConditions({ delayMs: 500, jitterMs: 20 });
    expect(await exchange(socket, 10)).toBeGreaterThanOrEqual(499);
    proxy.restore();
    expect(await exchange(socket, 10)).toBeLessThan(400);
  });

  it('limits the bytes per second', async () => {
    const proxy = await createProxy();
    const socket = await openConnection(proxy);
    proxy.setConditions({ bytesPerSecond: 100_000 });
    expect(await exchange(socket, 30_000)).toBeGreaterThanOrEqual(299);
  });

  it('delivers all data in order before the end of the connection, despite random delays', async () => {
    const proxy = await createProxy({ delayMs: 5, jitterMs: 30 });
    const sent = Array.from({ length: 200 }, (_, index) => `${index};`);
    const echoAll = async () => {
      const socket = await openConnection(proxy);
      const received: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => received.push(chunk));
      for (const text of sent) socket.write(text);
      socket.end();
      await once(socket, 'close');
      return Buffer.concat(received).toString();
    };
    // With many connections, timers start in the same turns of the event loop.
    const echoed = await Promise.all(Array.from({ length: 100 }, echoAll));
    expect(new Set(echoed)).toEqual(new Set([sent.join('')]));
  });

  it('resets the same connections for the same seed', async () => {
    const listResets = async (seed: number) => {
      const proxy = await createProxy({ seed });
      proxy.setConditions({ resets: { share: 0.5, withinBytes: 1_000 } });
      const resets: boolean[] = [];
      for (let index = 0; index < 12; index += 1) {
        const isReset = await exchange(await openConnection(proxy), 4_000).then(
          () => false,
          () => true,
        );
        resets.push(isReset);
      }
      return resets;
    };
    const first = await listResets(7);
    expect(await listResets(7)).toEqual(first);
    expect(new Set(first).size).toBe(2);
    expect(await listResets(8)).not.toEqual(first);
  });

  it('while half open, accepts new connections without responding, and keeps open ones working', async () => {
    const proxy = await createProxy();
    const openSocket = await openConnection(proxy);
    proxy.halfOpen();
    const ignoredSocket = await openConnection(proxy);
    ignoredSocket.write('hello');
    await exchange(openSocket, 1_000);
    expect(ignoredSocket.bytesRead).toBe(0);
    proxy.restore();
    await once(ignoredSocket, 'close');
    await exchange(openSocket, 1_000);
    await exchange(await openConnection(proxy), 1_000);
  });

  it('drops data while stalled, and closes the connections when restored', async () => {
    const proxy = await createProxy();
    const socket = await openConnection(proxy);
    await exchange(socket, 10);
    proxy.stall();
    socket.write('lost');
    const laterSocket = await openConnection(proxy);
    proxy.restore();
    await Promise.all([once(socket, 'close'), once(laterSocket, 'close')]);
    expect(socket.bytesRead).toBe(10);
    await exchange(await openConnection(proxy), 10);
  });

  it('closes open connections and rejects new ones while cut', async () => {
    const proxy = await createProxy();
    const socket = await openConnection(proxy);
    proxy.cut();
    await once(socket, 'close');
    const rejectedSocket = connect(Number(new URL(proxy.url).port), '127.0.0.1').on('error', () => undefined);
    await new Promise((resolve) => rejectedSocket.once('close', resolve));
    expect(rejectedSocket.bytesRead).toBe(0);
    proxy.restore();
    await exchange(await openConnection(proxy), 10);
  });
});
