import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, json, openConnection } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ MAX_CONNECTIONS_PER_IP: '1000', BODY_TIMEOUT_SECONDS: '3' });
});
afterAll(() => gateway.close());

type Connection = Awaited<ReturnType<typeof openConnection>>;

async function begin(path: string, base = gateway.url): Promise<Connection> {
  const connection = await openConnection(base);
  connection.socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 30000\r\n\r\n{`,
  );
  return connection;
}

const statusOf = ({ received }: Connection) => /^HTTP\/1\.1 (\d+)/.exec(received())?.[1];

describe('a slow request body', () => {
  it('does not block sign-in, even with 600 unfinished requests from one address', async () => {
    const patient = await gateway.another({ BODY_TIMEOUT_SECONDS: '60' });
    const before = gateway.services.auth.connections.size;
    const slow = await Promise.all(Array.from({ length: 600 }, () => begin('/api/auth/refresh', patient.url)));
    const trickle = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write(' ');
    }, 100);
    try {
      // Above a hundred incomplete requests per address, the oldest are rejected.
      await waitFor(() => slow.filter((one) => statusOf(one) === '408').length === 500, { what: '500 rejections' });
      const begun = performance.now();
      const body = JSON.stringify({ email: 'maya@example.org', password: 'Working#Day1' });
      const signedIn = await ask(patient.url, { method: 'POST', path: '/api/auth/login', body });
      expect(json(signedIn)).toEqual({ service: 'auth', url: '/api/auth/login' });
      // The others would block it for the body timeout, a minute.
      expect(performance.now() - begun).toBeLessThan(30_000);
      expect(gateway.services.auth.connections.size - before).toBeLessThan(10);
      // The sign-in was briefly incomplete, too, so the oldest was rejected for it.
      expect(slow.filter((one) => statusOf(one) === undefined)).toHaveLength(99);
    } finally {
      clearInterval(trickle);
      for (const { socket } of slow) socket.destroy();
    }
  });

  it('is rejected after the timeout, and its connection is closed', async () => {
    for (const path of ['/api/auth/login', '/api/client-errors', '/api/projects']) {
      const slow = await begin(path);
      const trickle = setInterval(() => slow.socket.writable && slow.socket.write(' '), 200);
      await slow.closed;
      clearInterval(trickle);
      expect(slow.received()).toMatch(/^HTTP\/1\.1 408 /);
      expect(slow.received()).toContain('"message":"The request took too long to arrive"');
    }
  });

  it('may take longer on upload endpoints of the documents service only', async () => {
    const arrived = new Promise<string>((resolve) => {
      gateway.services.documents.respondWith(async (req, res) => {
        let text = '';
        for await (const chunk of req) text += String(chunk);
        resolve(text);
        res.end('{}');
      });
    });
    const { socket, received } = await openConnection(gateway.url);
    socket.write('POST /api/documents/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n');
    const trickle = setInterval(() => socket.write('x'), 100);
    expect(await arrived).toHaveLength(40);
    clearInterval(trickle);
    await waitFor(() => received().startsWith('HTTP/1.1 200'), { what: 'the response' });
    socket.destroy();
  });

  it('is aborted if even its headers are incomplete', async () => {
    const { socket, closed, received } = await openConnection(gateway.url);
    socket.write('POST /api/auth/login HTTP/1.1\r\n');
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('a request body', () => {
  it('arrives complete, however it was split', async () => {
    const seen = new Promise<{ text: string; length: string | undefined }>((resolve) => {
      gateway.services.projects.respondWith(async (req, res) => {
        let text = '';
        for await (const chunk of req) text += String(chunk);
        resolve({ text, length: req.headers['content-length'] });
        res.end('{}');
      });
    });
    const { socket } = await openConnection(gateway.url);
    socket.write('POST /api/projects HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (const part of ['{"name"', ':', '"Portal"}']) socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    socket.write('0\r\n\r\n');
    expect(await seen).toEqual({ text: '{"name":"Portal"}', length: '17' });
    socket.destroy();
  });

  it('is limited to 64 KB for anonymous callers and 1 MB for users, with and without Content-Length', async () => {
    const authorization = `Bearer ${await gateway.sign('a-person')}`;
    const send = (bytes: number, headers: Record<string, string> = {}) =>
      ask(gateway.url, { method: 'POST', path: '/api/tasks', body: Buffer.alloc(bytes), headers });
    expect((await send(64 * 1024)).status).toBe(200);
    expect(json(await send(64 * 1024 + 1))).toMatchObject({ code: 'too_large' });
    expect((await send(1024 * 1024, { authorization })).status).toBe(200);
    expect((await send(1024 * 1024 + 1, { authorization })).status).toBe(413);
    const chunked = await openConnection(gateway.url);
    chunked.socket.write('POST /api/tasks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    chunked.socket.write(`${(70_000).toString(16)}\r\n${'x'.repeat(70_000)}\r\n`);
    await waitFor(() => statusOf(chunked) === '413', { what: 'the rejection' });
    await chunked.closed;
  });
});

describe('connections', () => {
  it('are limited per address, except from a trusted proxy', async () => {
    const few = await gateway.another({ MAX_CONNECTIONS_PER_IP: '5' });
    const open = await Promise.all(Array.from({ length: 5 }, () => openConnection(few.url)));
    const sixth = await openConnection(few.url);
    await sixth.closed;
    open[0]?.socket.destroy();
    await waitFor(
      async () => {
        const status = await ask(few.url, { path: '/api/users' }).then(
          (answer) => answer.status,
          () => 0,
        );
        return status === 200;
      },
      { what: 'a free connection' },
    );
    for (const { socket } of open) socket.destroy();

    const proxied = await gateway.another({ MAX_CONNECTIONS_PER_IP: '5', TRUSTED_PROXIES: '127.0.0.1' });
    const many = await Promise.all(Array.from({ length: 20 }, () => openConnection(proxied.url)));
    expect((await ask(proxied.url, { path: '/api/users' })).status).toBe(200);
    for (const { socket } of many) socket.destroy();
  });
});
