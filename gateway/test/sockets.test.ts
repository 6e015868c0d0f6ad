import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Server as SocketServer } from 'socket.io';
import { io } from 'socket.io-client';
import { openConnection, sendRequest } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

let gateway: TestGateway;
let sockets: SocketServer;
beforeAll(async () => {
  gateway = await startTestGateway({ CORS_ORIGINS: 'https://friend.example.org' });
  sockets = new SocketServer(gateway.services.chat.server, { transports: ['websocket'] });
  sockets.on('connection', (socket) => {
    socket.on('echo', (value, ack) => ack({ value, headers: socket.handshake.headers }));
  });
});
afterAll(async () => {
  await sockets.close();
  await gateway.close();
});

const HANDSHAKE =
  'Host: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n';
const SOCKET_PATH = '/socket.io/?EIO=4&transport=websocket';

async function handshake(path: string, headers = ''): Promise<string> {
  const { socket, received } = await openConnection(gateway.url);
  socket.write(`GET ${path} HTTP/1.1\r\n${HANDSHAKE}${headers}\r\n`);
  const response = await waitFor(() => (received().includes('\r\n\r\n') ? received() : undefined), {
    description: 'a response',
  });
  socket.destroy();
  return response;
}

describe('a socket', () => {
  it('connects to chat through the gateway', async () => {
    const client = io(gateway.url, { transports: ['websocket'], extraHeaders: { 'x-forwarded-for': '203.0.113.9' } });
    const largeText = 'x'.repeat(200_000);
    const response = await client.timeout(20_000).emitWithAck('echo', largeText);
    expect(response.value).toBe(largeText);
    expect(response.headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-request-id': expect.any(String) });
    client.close();
    await waitFor(() => sockets.engine.clientsCount === 0, { description: 'chat to see the close' });
  });

  it('is closed at chat when the browser connection breaks', async () => {
    const { socket } = await openConnection(gateway.url);
    socket.write(`GET ${SOCKET_PATH} HTTP/1.1\r\n${HANDSHAKE}\r\n`);
    await waitFor(() => sockets.engine.clientsCount === 1, { description: 'chat to accept the socket' });
    socket.resetAndDestroy();
    await waitFor(() => sockets.engine.clientsCount === 0, { description: 'chat to see the broken connection' });
  });

  it('is closed in the browser when chat stops, and new sockets get 503 until chat recovers', async () => {
    const { socket, closed } = await openConnection(gateway.url);
    socket.write(`GET ${SOCKET_PATH} HTTP/1.1\r\n${HANDSHAKE}\r\n`);
    await waitFor(() => sockets.engine.clientsCount === 1, { description: 'chat to accept the socket' });
    await gateway.services.chat.stop();
    await closed;
    const response = await handshake(SOCKET_PATH);
    expect(response).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(response).toMatch(/Retry-After: \d/);
    expect(response).toMatch(/"code":"unavailable"/);
    await gateway.services.chat.restart();
    expect(await handshake(SOCKET_PATH)).toMatch(/^HTTP\/1\.1 101 /);
  });

  it('is closed as a transport error when the gateway stops, so that the client reconnects', async () => {
    const secondGateway = await gateway.startAnother();
    const client = io(secondGateway.url, { transports: ['websocket'], reconnection: false });
    await new Promise<void>((resolve) => client.on('connect', resolve));
    const disconnected = new Promise<string>((resolve) => client.on('disconnect', resolve));
    await secondGateway.close();
    expect(await disconnected).toMatch(/transport/);
  });
});

describe('a WebSocket upgrade', () => {
  it.each([
    ['/', 404],
    ['/metrics', 404],
    ['/socket.iox/', 404],
    ['/SOCKET.IO/?EIO=4&transport=websocket', 404],
    ['/socket.io/../metrics', 404],
    ['/api/projects', 200],
  ])('is ignored on paths without sockets: %s', async (path, status) => {
    expect(await handshake(path)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('is ignored for other protocols, such as h2c', async () => {
    for (const upgradeHeader of ['h2c', 'h2c, websocket', 'TLS/1.0', '']) {
      const headers = {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: upgradeHeader,
        'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
      };
      const response = await sendRequest(gateway.url, { path: '/api/projects', headers });
      expect([upgradeHeader, response.status]).toEqual([upgradeHeader, 200]);
      const forwardedHeaders = gateway.services.projects.requests.at(-1)?.headers;
      expect(forwardedHeaders).not.toHaveProperty('upgrade');
      expect(forwardedHeaders).not.toHaveProperty('http2-settings');
      const body = JSON.stringify({ name: 'With a body' });
      expect((await sendRequest(gateway.url, { method: 'POST', path: '/api/projects', body, headers })).status).toBe(
        200,
      );
      expect((await sendRequest(gateway.url, { path: SOCKET_PATH, headers })).status).toBe(404);
    }
  });

  it('is rejected for pages of other sites', async () => {
    expect(await handshake(SOCKET_PATH, 'Origin: https://evil.example.org\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await handshake(SOCKET_PATH, 'Origin: null\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('is allowed for the app’s own pages and for configured origins', async () => {
    expect(await handshake(SOCKET_PATH, 'Origin: http://a\r\n')).toMatch(/^HTTP\/1\.1 101 /);
    expect(await handshake(SOCKET_PATH, 'Origin: https://friend.example.org\r\n')).toMatch(/^HTTP\/1\.1 101 /);
  });

  it('is rejected with 429 above the rate limit of an address', async () => {
    const strictGateway = await gateway.startAnother({ RATE_LIMIT_SOCKET: '2' });
    const statusLines: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { socket, received } = await openConnection(strictGateway.url);
      socket.write(`GET ${SOCKET_PATH} HTTP/1.1\r\n${HANDSHAKE}\r\n`);
      statusLines.push(await waitFor(() => received().split('\r\n')[0], { description: 'a response' }));
      socket.destroy();
    }
    expect(statusLines.map((line) => line.split(' ')[1])).toEqual(['101', '101', '429']);
  });

  it('is the only transport: long-polling, which would need sticky sessions, is rejected', async () => {
    expect((await sendRequest(gateway.url, { path: '/socket.io/?EIO=4&transport=polling' })).status).toBe(404);
  });
});
