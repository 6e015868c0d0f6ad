import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, json, openConnection } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';
import { sendJson } from './start-upstream.ts';

let gateway: TestGateway;
/** One that gives a silent service up soon. */
let impatient: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  impatient = (await gateway.another({ UPSTREAM_TIMEOUT_SECONDS: '0.5' })).url;
});
afterAll(() => gateway.close());

const lastAsked = (service: keyof TestGateway['services']) => gateway.services[service].asked.at(-1);

describe('the way to the services', () => {
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
    ['/api/notifications', 'notifications'],
  ])('passes %s on to %s as it is', async (path, service) => {
    const answer = await ask(gateway.url, { path });
    expect(answer.status).toBe(200);
    expect(json(answer)).toEqual({ service, url: path });
  });

  it.each(['/api', '/api/', '/api/nothing', '/api/constructor', '/api/__proto__/x', '/api/userss', '/API/Nothing'])(
    'answers 404 in the shape of errors for %s',
    async (path) => {
      const answer = await ask(gateway.url, { path });
      expect(answer.status).toBe(404);
      expect(json(answer)).toMatchObject({ code: 'not_found', requestId: answer.headers['x-request-id'] });
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
  ])('does not let %s through to anything inside', async (path) => {
    const before = Object.values(gateway.services).flatMap(({ asked }) => asked).length;
    const answer = await ask(gateway.url, { path, headers: { accept: 'text/html' } });
    expect(answer.status).toBe(404);
    expect(Object.values(gateway.services).flatMap(({ asked }) => asked).length).toBe(before);
  });

  it('passes bodies, statuses and headers both ways', async () => {
    gateway.services.projects.answer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      res.setHeader('x-from-service', 'yes');
      res.setHeader('retry-after', '7');
      sendJson(
        res,
        { method: req.method, got: Buffer.concat(chunks).toString(), type: req.headers['content-type'] },
        409,
      );
    });
    const answer = await ask(gateway.url, {
      method: 'DELETE',
      path: '/api/projects/1/team-members',
      body: '{"userId":"ü"}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
    });
    expect(answer.status).toBe(409);
    expect(json(answer)).toEqual({ method: 'DELETE', got: '{"userId":"ü"}', type: 'application/json' });
    expect(answer.headers).toMatchObject({ 'x-from-service': 'yes', 'retry-after': '7' });
    expect(lastAsked('projects')?.headers['idempotency-key']).toBe('k1');
  });

  it('answers HEAD without a body', async () => {
    gateway.services.meetings.answer((_req, res) => sendJson(res, { long: 'answer' }));
    const answer = await ask(gateway.url, { method: 'HEAD', path: '/api/meetings' });
    expect(answer.status).toBe(200);
    expect(answer.body.length).toBe(0);
  });

  it('keeps its connections to a service', async () => {
    const { connections } = gateway.services.notifications;
    await ask(gateway.url, { path: '/api/notifications' });
    const before = connections.size;
    for (let round = 0; round < 20; round += 1) await ask(gateway.url, { path: '/api/notifications' });
    expect(connections.size).toBe(before);
  });
});

describe('what travels along', () => {
  it('makes a request id and passes it on', async () => {
    const answer = await ask(gateway.url, { path: '/api/users' });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
    expect(lastAsked('users')?.headers['x-request-id']).toBe(answer.headers['x-request-id']);
  });

  it('keeps a sane request id and replaces any other', async () => {
    const kept = await ask(gateway.url, { path: '/api/users', headers: { 'x-request-id': 'trace-0123456789' } });
    expect(kept.headers['x-request-id']).toBe('trace-0123456789');
    expect(lastAsked('users')?.headers['x-request-id']).toBe('trace-0123456789');
    for (const id of ['short', 'a b c d e f g h', 'x'.repeat(65), '{"$ne":1}{"$ne":1}']) {
      const answer = await ask(gateway.url, { path: '/api/users', headers: { 'x-request-id': id } });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
      expect(lastAsked('users')?.headers['x-request-id']).toBe(answer.headers['x-request-id']);
    }
  });

  it('says where a request comes from, whatever the caller pretends', async () => {
    await ask(gateway.url, {
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
    const headers = lastAsked('users')?.headers;
    expect(headers).toMatchObject({
      host: 'atrium.example.org',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'atrium.example.org',
    });
    expect(headers).not.toHaveProperty('x-real-ip');
    expect(headers).not.toHaveProperty('forwarded');
  });

  it('leaves on each side what belongs to a connection', async () => {
    gateway.services.chat.answer((_req, res) => {
      res.setHeader('Keep-Alive', 'timeout=3');
      res.setHeader('Proxy-Authenticate', 'Basic');
      res.setHeader('X-Powered-By', 'something');
      res.setHeader('Server', 'something');
      sendJson(res, {});
    });
    const answer = await ask(gateway.url, {
      path: '/api/chat/x',
      headers: { connection: 'close, x-private', 'x-private': 'hop', te: 'trailers', 'proxy-authorization': 'Basic x' },
    });
    const asked = lastAsked('chat')?.headers ?? {};
    for (const name of ['x-private', 'te', 'proxy-authorization']) expect(asked).not.toHaveProperty(name);
    expect(asked.connection).toBe('keep-alive');
    for (const name of ['proxy-authenticate', 'x-powered-by', 'server'])
      expect(answer.headers).not.toHaveProperty(name);
    expect(answer.headers.connection).toBe('close');
  });

  it('keeps the length and the token although a caller names them as private to the connection', async () => {
    await ask(gateway.url, {
      path: '/api/users',
      headers: {
        connection: 'authorization, x-request-id, host',
        authorization: 'Bearer abc',
        host: 'here.example.org',
      },
    });
    expect(lastAsked('users')?.headers).toMatchObject({ authorization: 'Bearer abc', host: 'here.example.org' });
    expect(lastAsked('users')?.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
  });
});

describe('a service that fails', () => {
  it('is 503 with Retry-After, in the shape of errors, without a host name, until it is back', async () => {
    const { documents } = gateway.services;
    await documents.stop();
    const answer = await ask(gateway.url, { path: '/api/documents' });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.headers['content-type']).toMatch(/json/);
    expect(json(answer)).toEqual({
      message: 'This is not available right now. Please try again in a moment.',
      code: 'unavailable',
      requestId: answer.headers['x-request-id'],
    });
    expect(answer.body.toString()).not.toMatch(/127\.0\.0\.1|ECONN/);
    await documents.restart();
    expect((await ask(gateway.url, { path: '/api/documents' })).status).toBe(200);
  });

  it('is 503 when it does not say anything in time', async () => {
    gateway.services.documents.answer(() => undefined);
    const answer = await ask(impatient, { path: '/api/documents' });
    expect(answer.status).toBe(503);
    expect(json(answer)).toMatchObject({ code: 'unavailable' });
  });

  it('cuts an answer that breaks off, so that half of it is never taken for the whole', async () => {
    gateway.services.documents.answer((_req, res) => {
      res.writeHead(200, { 'content-length': '1000' });
      res.write('half', () => res.destroy());
    });
    await expect(ask(gateway.url, { path: '/api/documents' })).rejects.toThrow();
  });

  it('still serves the others while one hangs', async () => {
    const { promise: finish, resolve: letFinish } = Promise.withResolvers<void>();
    gateway.services.documents.answer(async (_req, res) => {
      await finish;
      sendJson(res, {});
    });
    const hanging = ask(gateway.url, { path: '/api/documents' });
    expect((await ask(gateway.url, { path: '/api/notifications' })).status).toBe(200);
    letFinish();
    expect((await hanging).status).toBe(200);
  });
});

describe('a connection that breaks before there is an answer', () => {
  /** As a pod does that stops: it closes a connection in the moment in which a request comes on it. Answers those that come later. */
  const breakOnce = () => {
    const bodies: string[] = [];
    gateway.services.chat.answer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      bodies.push(Buffer.concat(chunks).toString());
      if (bodies.length === 1) req.socket.destroy();
      else sendJson(res, { seq: 1 }, 201);
    });
    return bodies;
  };
  const send = (body: object, path = '/api/chat/messages') =>
    ask(gateway.url, {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
      body: JSON.stringify(body),
    });

  it('costs nobody a message whose repeat is known: it goes once more, as it was', async () => {
    const bodies = breakOnce();
    const message = { conversation: '1', content: 'ü', clientMessageId: '3f0c' };
    expect((await send(message)).status).toBe(201);
    expect(bodies).toEqual([JSON.stringify(message), JSON.stringify(message)]);
    expect(gateway.services.chat.connections.size).toBeGreaterThan(1);
  });

  it.each([
    ['a message without an id', { content: '"clientMessageId"' }, '/api/chat/messages'],
    ['a call that takes no key', {}, `/api/chat/conversations/${'a'.repeat(24)}/leave`],
  ])('is told for %s: nobody knows whether it has arrived', async (_what, body, path) => {
    const bodies = breakOnce();
    expect((await send(body, path)).status).toBe(503);
    expect(bodies).toHaveLength(1);
  });

  it('is told when the second one breaks, too', async () => {
    let asked = 0;
    gateway.services.chat.answer((req) => {
      asked += 1;
      req.socket.destroy();
    });
    expect((await ask(gateway.url, { path: '/api/chat/conversations' })).status).toBe(503);
    expect(asked).toBe(2);
  });
});

describe('a caller who goes away', () => {
  it('takes the request to the service along', async () => {
    let gone = false;
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    gateway.services.documents.answer((req, res) => {
      res.on('close', () => {
        gone = true;
      });
      req.resume();
      begin();
    });
    const { socket } = await openConnection(gateway.url);
    socket.write('GET /api/documents HTTP/1.1\r\nHost: a\r\n\r\n');
    await begun;
    socket.destroy();
    await waitFor(() => gone, { what: 'the service to hear of it' });
  });
});

describe('stopping', () => {
  it('lets a request under way come to its end, takes no other, and is gone soon', async () => {
    const other = await gateway.another();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: finish, resolve: letFinish } = Promise.withResolvers<void>();
    gateway.services.documents.answer(async (_req, res) => {
      begin();
      await finish;
      sendJson(res, { done: true });
    });
    const { socket, received, closed } = await openConnection(other.url);
    socket.write('GET /api/documents HTTP/1.1\r\nHost: a\r\n\r\n');
    await begun;
    const stopped = other.close();
    await expect(ask(other.url, { path: '/api/users' })).rejects.toThrow();
    letFinish();
    await closed;
    expect(received()).toContain('{"done":true}');
    expect(await Promise.race([stopped.then(() => 'stopped'), delay(10_000, 'late', { ref: false })])).toBe('stopped');
  });
});
