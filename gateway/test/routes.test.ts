import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection, parseJson, sendRequest } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';
import { sendJson } from './start-upstream.ts';

let gateway: TestGateway;
let shortTimeoutUrl: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  shortTimeoutUrl = (await gateway.startAnother({ UPSTREAM_TIMEOUT_SECONDS: '0.5' })).url;
});
afterAll(() => gateway.close());

const lastRequest = (service: keyof TestGateway['services']) => gateway.services[service].requests.at(-1);

describe('upstream routing', () => {
  it.each([
    ['/api/auth/setup', 'auth'],
    ['/api/users', 'users'],
    ['/api/users/stats/overview?x=1', 'users'],
    ['/api/departments', 'users'],
    ['/api/projects?page=2&limit=100', 'projects'],
    ['/api/tasks/project/65f000000000000000000000', 'projects'],
    ['/api/meetings/upcoming', 'meetings'],
    ['/api/documents/', 'documents'],
    ['/api/chat/messages?conversation=1&before=2', 'chat'],
    ['/api/changes?since=1', 'chat'],
    ['/api/notifications', 'notifications'],
  ])('forwards %s to %s unmodified', async (path, service) => {
    const response = await sendRequest(gateway.url, { path });
    expect(response.status).toBe(200);
    expect(parseJson(response)).toEqual({ service, url: path });
  });

  it('forwards one-click unsubscribe, which mail programs send to the page of the link, to notifications', async () => {
    const body = 'List-Unsubscribe=One-Click';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await sendRequest(gateway.url, { method: 'POST', path: '/unsubscribe/token', headers, body });
    expect(parseJson(response)).toEqual({ service: 'notifications', url: '/api/notifications/unsubscribe/token' });
    const get = await sendRequest(gateway.url, { path: '/unsubscribe/token', headers: { accept: 'text/html' } });
    expect(get.status).toBe(404);
  });

  it.each(['/api', '/api/', '/api/nothing', '/api/constructor', '/api/__proto__/x', '/api/userss', '/API/Nothing'])(
    'responds to %s with 404 and a standard error',
    async (path) => {
      const response = await sendRequest(gateway.url, { path });
      expect(response.status).toBe(404);
      expect(parseJson(response)).toMatchObject({ code: 'not_found', requestId: response.headers['x-request-id'] });
    },
  );

  it.each([
    '/livez',
    '/readyz',
    '/metrics',
    '/.well-known/jwks.json',
    '/api/auth/../../metrics',
    '/api/auth/..%2f..%2fmetrics',
    '/api/auth/%2e%2e/%2E%2E/readyz',
    '/api/auth/..\\..\\metrics',
    '/api/users/./readyz',
    '//api/users',
    '/api//users',
    '/api/users//',
    `/api/users/${'a'.repeat(3_200)}`,
    'http://127.0.0.1/metrics',
    '*',
  ])('does not forward %s to internal routes', async (path) => {
    const requestsBefore = Object.values(gateway.services).flatMap(({ requests }) => requests).length;
    const response = await sendRequest(gateway.url, { path, headers: { accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect(Object.values(gateway.services).flatMap(({ requests }) => requests).length).toBe(requestsBefore);
  });

  it('forwards bodies, statuses, and headers in both directions', async () => {
    gateway.services.projects.respondWith(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      res.setHeader('x-from-service', 'yes');
      res.setHeader('retry-after', '7');
      sendJson(
        res,
        { method: req.method, body: Buffer.concat(chunks).toString(), type: req.headers['content-type'] },
        409,
      );
    });
    const response = await sendRequest(gateway.url, {
      method: 'DELETE',
      path: '/api/projects/1/team-members',
      body: '{"userId":"ü"}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
    });
    expect(response.status).toBe(409);
    expect(parseJson(response)).toEqual({ method: 'DELETE', body: '{"userId":"ü"}', type: 'application/json' });
    expect(response.headers).toMatchObject({ 'x-from-service': 'yes', 'retry-after': '7' });
    expect(lastRequest('projects')?.headers['idempotency-key']).toBe('k1');
  });

  it('responds to HEAD without a body', async () => {
    gateway.services.meetings.respondWith((_req, res) => sendJson(res, { name: 'Meetings' }));
    const response = await sendRequest(gateway.url, { method: 'HEAD', path: '/api/meetings' });
    expect(response.status).toBe(200);
    expect(response.body.length).toBe(0);
  });

  it('reuses connections to a service', async () => {
    const { connections } = gateway.services.notifications;
    await sendRequest(gateway.url, { path: '/api/notifications' });
    const connectionsBefore = connections.size;
    for (let round = 0; round < 20; round += 1) await sendRequest(gateway.url, { path: '/api/notifications' });
    expect(connections.size).toBe(connectionsBefore);
  });
});

describe('forwarded headers', () => {
  it('contain a new request id', async () => {
    const response = await sendRequest(gateway.url, { path: '/api/users' });
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
    expect(lastRequest('users')?.headers['x-request-id']).toBe(response.headers['x-request-id']);
  });

  it('keep a valid request id and replace an invalid one', async () => {
    const validIdResponse = await sendRequest(gateway.url, {
      path: '/api/users',
      headers: { 'x-request-id': 'trace-0123456789' },
    });
    expect(validIdResponse.headers['x-request-id']).toBe('trace-0123456789');
    expect(lastRequest('users')?.headers['x-request-id']).toBe('trace-0123456789');
    for (const id of ['short', 'a b c d e f g h', 'x'.repeat(65), '{"$ne":1}{"$ne":1}']) {
      const response = await sendRequest(gateway.url, { path: '/api/users', headers: { 'x-request-id': id } });
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
      expect(lastRequest('users')?.headers['x-request-id']).toBe(response.headers['x-request-id']);
    }
  });

  it('contain the actual client address, even if the caller sends a different one', async () => {
    await sendRequest(gateway.url, {
      path: '/api/users',
      headers: {
        host: 'atrium.example.org',
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'evil.example.org',
        'x-real-ip': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
      },
    });
    const headers = lastRequest('users')?.headers;
    expect(headers).toMatchObject({
      host: 'atrium.example.org',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'atrium.example.org',
    });
    expect(headers).not.toHaveProperty('x-real-ip');
    expect(headers).not.toHaveProperty('forwarded');
  });

  it('exclude hop-by-hop headers in both directions', async () => {
    gateway.services.chat.respondWith((_req, res) => {
      res.setHeader('Keep-Alive', 'timeout=3');
      res.setHeader('Proxy-Authenticate', 'Basic');
      res.setHeader('X-Powered-By', 'something');
      res.setHeader('Server', 'something');
      sendJson(res, {});
    });
    const response = await sendRequest(gateway.url, {
      path: '/api/chat/x',
      headers: { connection: 'close, x-private', 'x-private': 'hop', te: 'trailers', 'proxy-authorization': 'Basic x' },
    });
    const headers = lastRequest('chat')?.headers ?? {};
    for (const name of ['x-private', 'te', 'proxy-authorization']) expect(headers).not.toHaveProperty(name);
    expect(headers.connection).toBe('keep-alive');
    for (const name of ['proxy-authenticate', 'x-powered-by', 'server'])
      expect(response.headers).not.toHaveProperty(name);
    expect(response.headers.connection).toBe('close');
  });

  it('keep length and token even if a caller marks them as hop-by-hop', async () => {
    await sendRequest(gateway.url, {
      path: '/api/users',
      headers: {
        connection: 'authorization, x-request-id, host',
        authorization: 'Bearer abc',
        host: 'here.example.org',
      },
    });
    expect(lastRequest('users')?.headers).toMatchObject({ authorization: 'Bearer abc', host: 'here.example.org' });
    expect(lastRequest('users')?.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
  });
});

describe('a failing upstream', () => {
  it('is 503 with Retry-After, as a standard error without a host name, until it recovers', async () => {
    const { documents } = gateway.services;
    await documents.stop();
    const response = await sendRequest(gateway.url, { path: '/api/documents' });
    expect(response.status).toBe(503);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(response.headers['content-type']).toMatch(/json/);
    expect(parseJson(response)).toEqual({
      message: 'This is not available right now. Please try again in a moment.',
      code: 'unavailable',
      requestId: response.headers['x-request-id'],
    });
    expect(response.body.toString()).not.toMatch(/127\.0\.0\.1|ECONN/);
    await documents.restart();
    expect((await sendRequest(gateway.url, { path: '/api/documents' })).status).toBe(200);
  });

  it('is 503 when it does not respond in time', async () => {
    gateway.services.documents.respondWith(() => undefined);
    const response = await sendRequest(shortTimeoutUrl, { path: '/api/documents' });
    expect(response.status).toBe(503);
    expect(parseJson(response)).toMatchObject({ code: 'unavailable' });
  });

  it('causes an aborted response if it disconnects, so that clients do not mistake it for a complete one', async () => {
    gateway.services.documents.respondWith((_req, res) => {
      res.writeHead(200, { 'content-length': '1000' });
      res.write('half', () => res.destroy());
    });
    await expect(sendRequest(gateway.url, { path: '/api/documents' })).rejects.toThrow();
  });

  it('does not affect other services while it hangs', async () => {
    const { promise: canRespond, resolve: allowResponse } = Promise.withResolvers<void>();
    gateway.services.documents.respondWith(async (_req, res) => {
      await canRespond;
      sendJson(res, {});
    });
    const delayedResponse = sendRequest(gateway.url, { path: '/api/documents' });
    expect((await sendRequest(gateway.url, { path: '/api/notifications' })).status).toBe(200);
    allowResponse();
    expect((await delayedResponse).status).toBe(200);
  });
});

describe('a connection that breaks before the response', () => {
  /** Simulates a stopping pod: closes the connection of the first request, and responds to later ones. */
  const resetOnce = () => {
    const bodies: string[] = [];
    gateway.services.chat.respondWith(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      bodies.push(Buffer.concat(chunks).toString());
      if (bodies.length === 1) req.socket.destroy();
      else sendJson(res, { seq: 1 }, 201);
    });
    return bodies;
  };
  const sendMessage = (body: object, path = '/api/chat/messages') =>
    sendRequest(gateway.url, {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1' },
      body: JSON.stringify(body),
    });

  it('causes an unchanged retry of a request that is safe to send twice', async () => {
    const bodies = resetOnce();
    const message = { conversation: '1', content: 'ü', clientMessageId: '3f0c' };
    expect((await sendMessage(message)).status).toBe(201);
    expect(bodies).toEqual([JSON.stringify(message), JSON.stringify(message)]);
    expect(gateway.services.chat.connections.size).toBeGreaterThan(1);
  });

  it.each([
    ['a message without an id', { content: '"clientMessageId"' }, '/api/chat/messages'],
    ['a call that accepts no idempotency key', {}, `/api/chat/conversations/${'a'.repeat(24)}/leave`],
  ])('is reported for %s, because it may have been received', async (_case, body, path) => {
    const bodies = resetOnce();
    expect((await sendMessage(body, path)).status).toBe(503);
    expect(bodies).toHaveLength(1);
  });

  it('is reported when the connection of the retry breaks as well', async () => {
    let requests = 0;
    gateway.services.chat.respondWith((req) => {
      requests += 1;
      req.socket.destroy();
    });
    expect((await sendRequest(gateway.url, { path: '/api/chat/conversations' })).status).toBe(503);
    expect(requests).toBe(2);
  });
});

describe('a disconnected caller', () => {
  it('aborts the request to the service', async () => {
    let isAborted = false;
    const { promise: requestArrived, resolve: markArrived } = Promise.withResolvers<void>();
    gateway.services.documents.respondWith((req, res) => {
      res.on('close', () => {
        isAborted = true;
      });
      req.resume();
      markArrived();
    });
    const { socket } = await openConnection(gateway.url);
    socket.write('GET /api/documents HTTP/1.1\r\nHost: a\r\n\r\n');
    await requestArrived;
    socket.destroy();
    await waitFor(() => isAborted, { description: 'the service to be notified' });
  });
});

describe('shutdown', () => {
  it('finishes requests in flight, accepts no others, and completes quickly', async () => {
    const secondGateway = await gateway.startAnother();
    const { promise: requestArrived, resolve: markArrived } = Promise.withResolvers<void>();
    const { promise: canRespond, resolve: allowResponse } = Promise.withResolvers<void>();
    gateway.services.documents.respondWith(async (_req, res) => {
      markArrived();
      await canRespond;
      sendJson(res, { done: true });
    });
    const { socket, received, closed } = await openConnection(secondGateway.url);
    socket.write('GET /api/documents HTTP/1.1\r\nHost: a\r\n\r\n');
    await requestArrived;
    const stopping = secondGateway.close();
    await expect(sendRequest(secondGateway.url, { path: '/api/users' })).rejects.toThrow();
    allowResponse();
    await closed;
    expect(received()).toContain('{"done":true}');
    expect(await Promise.race([stopping.then(() => 'stopped'), delay(10_000, 'late', { ref: false })])).toBe('stopped');
  });
});
