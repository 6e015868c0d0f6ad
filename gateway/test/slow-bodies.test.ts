import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection, parseJson, sendRequest } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ MAX_CONNECTIONS_PER_IP: '1000', BODY_TIMEOUT_SECONDS: '3' });
});
afterAll(() => gateway.close());

type Connection = Awaited<ReturnType<typeof openConnection>>;

async function sendPartialRequest(path: string, base = gateway.url): Promise<Connection> {
  const connection = await openConnection(base);
  connection.socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 30000\r\n\r\n{`,
  );
  return connection;
}

const parseStatus = ({ received }: Connection) => /^HTTP\/1\.1 (\d+)/.exec(received())?.[1];

describe('a slow request body', () => {
  it('does not block sign-in, even with 600 unfinished requests from one address', async () => {
    const patientGateway = await gateway.startAnother({ BODY_TIMEOUT_SECONDS: '60' });
    const connectionsBefore = gateway.services.auth.connections.size;
    const slowConnections = await Promise.all(
      Array.from({ length: 600 }, () => sendPartialRequest('/api/auth/refresh', patientGateway.url)),
    );
    const trickle = setInterval(() => {
      for (const { socket } of slowConnections) if (socket.writable) socket.write(' ');
    }, 100);
    try {
      // The oldest are rejected above a hundred incomplete requests per address.
      await waitFor(() => slowConnections.filter((connection) => parseStatus(connection) === '408').length === 500, {
        description: '500 rejections',
      });
      const startedAt = performance.now();
      const body = JSON.stringify({ email: 'maya@example.org', password: 'Working#Day1' });
      const signInResponse = await sendRequest(patientGateway.url, { method: 'POST', path: '/api/auth/login', body });
      expect(parseJson(signInResponse)).toEqual({ service: 'auth', url: '/api/auth/login' });
      // The slow requests would block it for the body timeout, a minute, if they were not limited.
      expect(performance.now() - startedAt).toBeLessThan(30_000);
      expect(gateway.services.auth.connections.size - connectionsBefore).toBeLessThan(10);
      // The sign-in was briefly incomplete as well, so the oldest one was rejected for it.
      expect(slowConnections.filter((connection) => parseStatus(connection) === undefined)).toHaveLength(99);
    } finally {
      clearInterval(trickle);
      for (const { socket } of slowConnections) socket.destroy();
    }
  });

  it('is rejected after the timeout, and its connection is closed', async () => {
    for (const path of ['/api/auth/login', '/api/client-errors', '/api/projects']) {
      const connection = await sendPartialRequest(path);
      const trickle = setInterval(() => connection.socket.writable && connection.socket.write(' '), 200);
      await connection.closed;
      clearInterval(trickle);
      expect(connection.received()).toMatch(/^HTTP\/1\.1 408 /);
      expect(connection.received()).toContain('"message":"The request took too long to arrive"');
    }
  });

  it('may take longer on upload endpoints of the documents service only', async () => {
    const receivedBody = new Promise<string>((resolve) => {
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
    expect(await receivedBody).toHaveLength(40);
    clearInterval(trickle);
    await waitFor(() => received().startsWith('HTTP/1.1 200'), { description: 'the response' });
    socket.destroy();
  });

  it('is rejected after the timeout if even its headers are incomplete', async () => {
    const { socket, closed, received } = await openConnection(gateway.url);
    socket.write('POST /api/auth/login HTTP/1.1\r\n');
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('a request body', () => {
  it('arrives complete even if it was sent in small chunks', async () => {
    const receivedRequest = new Promise<{ text: string; length: string | undefined }>((resolve) => {
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
    expect(await receivedRequest).toEqual({ text: '{"name":"Portal"}', length: '17' });
    socket.destroy();
  });

  it('is limited to 64 KB for anonymous callers and 1 MB for users, with and without Content-Length', async () => {
    const authorization = `Bearer ${await gateway.sign('user-1')}`;
    const send = (bytes: number, headers: Record<string, string> = {}) =>
      sendRequest(gateway.url, { method: 'POST', path: '/api/tasks', body: Buffer.alloc(bytes), headers });
    expect((await send(64 * 1024)).status).toBe(200);
    expect(parseJson(await send(64 * 1024 + 1))).toMatchObject({ code: 'too_large' });
    expect((await send(1024 * 1024, { authorization })).status).toBe(200);
    expect((await send(1024 * 1024 + 1, { authorization })).status).toBe(413);
    const chunkedConnection = await openConnection(gateway.url);
    chunkedConnection.socket.write('POST /api/tasks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    chunkedConnection.socket.write(`${(70_000).toString(16)}\r\n${'x'.repeat(70_000)}\r\n`);
    await waitFor(() => parseStatus(chunkedConnection) === '413', { description: 'the rejection' });
    await chunkedConnection.closed;
  });
});

describe('connections to the gateway', () => {
  it('are limited per address, except from a trusted proxy', async () => {
    const limitedGateway = await gateway.startAnother({ MAX_CONNECTIONS_PER_IP: '5' });
    const openConnections = await Promise.all(Array.from({ length: 5 }, () => openConnection(limitedGateway.url)));
    const extraConnection = await openConnection(limitedGateway.url);
    await extraConnection.closed;
    openConnections[0]?.socket.destroy();
    await waitFor(
      async () => {
        const status = await sendRequest(limitedGateway.url, { path: '/api/users' }).then(
          (response) => response.status,
          () => 0,
        );
        return status === 200;
      },
      { description: 'a free connection' },
    );
    for (const { socket } of openConnections) socket.destroy();

    const proxiedGateway = await gateway.startAnother({ MAX_CONNECTIONS_PER_IP: '5', TRUSTED_PROXIES: '127.0.0.1' });
    const proxiedConnections = await Promise.all(Array.from({ length: 20 }, () => openConnection(proxiedGateway.url)));
    expect((await sendRequest(proxiedGateway.url, { path: '/api/users' })).status).toBe(200);
    for (const { socket } of proxiedConnections) socket.destroy();
  });
});
