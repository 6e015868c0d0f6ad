import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFaultyProxy, type FaultyProxy } from './faulty-proxy.ts';

let echo: Server;
let target: string;
const lines: FaultyProxy[] = [];
const sockets: Socket[] = [];

beforeEach(async () => {
  echo = createServer((socket) => void socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  target = `tcp://127.0.0.1:${(echo.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const line of lines.splice(0)) await line.close();
  echo.close();
});

async function createProxy(options: Parameters<typeof createFaultyProxy>[1] = {}): Promise<FaultyProxy> {
  const line = await createFaultyProxy(target, options);
  lines.push(line);
  return line;
}

async function call({ url }: FaultyProxy): Promise<Socket> {
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
  const take = (chunk: Buffer) => {
    remaining -= chunk.length;
    if (remaining === 0) resolve();
  };
  socket.on('data', take).once('close', () => reject(new Error('the connection ended')));
  socket.write(Buffer.alloc(bytes));
  await promise;
  socket.off('data', take);
  return performance.now() - startedAt;
}

describe('createFaultyProxy', () => {
  it('delays responses while connections remain open', async () => {
    const line = await createProxy();
    const socket = await call(line);
    await exchange(socket, 10);
    line.setConditions({ delayMs: 500, jitterMs: 20 });
    expect(await exchange(socket, 10)).toBeGreaterThanOrEqual(499);
    line.restore();
    expect(await exchange(socket, 10)).toBeLessThan(400);
  });

  it('limits the bytes per second', async () => {
    const line = await createProxy();
    const socket = await call(line);
    line.setConditions({ bytesPerSecond: 100_000 });
    expect(await exchange(socket, 30_000)).toBeGreaterThanOrEqual(299);
  });

  it('delivers everything in order before the end, with any random delays', async () => {
    const line = await createProxy({ delayMs: 5, jitterMs: 30 });
    const sent = Array.from({ length: 200 }, (_, index) => `${index};`);
    const say = async () => {
      const socket = await call(line);
      const received: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => received.push(chunk));
      for (const word of sent) socket.write(word);
      socket.end();
      await once(socket, 'close');
      return Buffer.concat(received).toString();
    };
    // Many connections, whose timers start in the same event loop turns.
    const all = await Promise.all(Array.from({ length: 100 }, say));
    expect(new Set(all)).toEqual(new Set([sent.join('')]));
  });

  it('resets the same connections for the same seed', async () => {
    const fates = async (seed: number) => {
      const line = await createProxy({ seed });
      line.setConditions({ resets: { share: 0.5, withinBytes: 1_000 } });
      const ends: boolean[] = [];
      for (let index = 0; index < 12; index += 1) {
        const end = await exchange(await call(line), 4_000).then(
          () => true,
          () => false,
        );
        ends.push(end);
      }
      return ends;
    };
    const first = await fates(7);
    expect(await fates(7)).toEqual(first);
    expect(new Set(first).size).toBe(2);
    expect(await fates(8)).not.toEqual(first);
  });

  it('accepts but never responds while half open, while open connections continue', async () => {
    const line = await createProxy();
    const open = await call(line);
    line.halfOpen();
    const unanswered = await call(line);
    unanswered.write('anybody?');
    await exchange(open, 1_000);
    expect(unanswered.bytesRead).toBe(0);
    line.restore();
    await once(unanswered, 'close');
    await exchange(open, 1_000);
    await exchange(await call(line), 1_000);
  });

  it('drops data while stalled, and then the connections', async () => {
    const line = await createProxy();
    const socket = await call(line);
    await exchange(socket, 10);
    line.stall();
    socket.write('lost');
    const late = await call(line);
    line.restore();
    await Promise.all([once(socket, 'close'), once(late, 'close')]);
    expect(socket.bytesRead).toBe(10);
    await exchange(await call(line), 10);
  });

  it('breaks open and new connections when it is cut', async () => {
    const line = await createProxy();
    const socket = await call(line);
    line.cut();
    await once(socket, 'close');
    const refused = connect(Number(new URL(line.url).port), '127.0.0.1').on('error', () => undefined);
    await new Promise((resolve) => refused.once('close', resolve));
    expect(refused.bytesRead).toBe(0);
    line.restore();
    await exchange(await call(line), 10);
  });
});
