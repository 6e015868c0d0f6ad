import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { keyForRequest } from '@atrium/service-kit/http/idempotency';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp } from '../test-app.ts';

const ID = 'a'.repeat(24);
const member = buildUser();
let app: Awaited<ReturnType<typeof startTestApp>>;
let token: string;
beforeAll(async () => {
  app = await startTestApp({
    checks: [
      { name: 'database', essential: true, check: async () => undefined },
      { name: 'mail', essential: false, check: () => Promise.reject(new Error('rejected by mail.internal')) },
    ],
  });
  app.directory.putUser(member);
  token = await app.tokens.sign(member);
});
afterAll(() => app.close());

const write = (body: unknown, headers: Record<string, string> = {}) =>
  app.call('POST', '/api/notes', { token, body, headers });
const callBreak = (how: string) => app.call('POST', `/api/notes/${ID}/break`, { body: { how } });

describe('createHttpApp', () => {
  it('responds with the status of the contract', async () => {
    expect(await write({ title: 'a' })).toMatchObject({ status: 201, body: { _id: ID, title: 'a' } });
    expect(await write({ title: 'again' })).toMatchObject({ status: 200 });
    expect(await app.call('GET', `/api/notes/${ID}`, { token })).toMatchObject({ status: 200, body: { _id: ID } });
    expect(await app.call('DELETE', `/api/notes/${ID}`, { token })).toMatchObject({ status: 204, text: '' });
  });

  it('prefers a fixed path over one with a parameter', async () => {
    expect((await app.call('GET', '/api/notes/mine', { token })).body).toEqual({ caller: member._id, role: 'member' });
  });

  it('drops unknown fields of requests and responses', async () => {
    const { body } = await write({ title: 'echo', isAdmin: true, tags: ['x'] });
    expect(JSON.parse((body as { title: string }).title)).toEqual({ title: 'echo', tags: ['x'] });
    expect((await callBreak('leaky-response')).body).toEqual({ _id: ID, title: 'a' });
  });
});

describe('idempotencyKey', () => {
  it('is computed from the request as sent, before defaults, regardless of field order', async () => {
    const digest = async (body: object) => {
      const response = await write({ title: 'digest', ...body }, { 'idempotency-key': 'k' });
      return (response.body as { title: string }).title;
    };
    const sentRequest = { method: 'POST', path: '/api/notes' };
    expect(await digest({})).toBe(keyForRequest('k', { ...sentRequest, body: { title: 'digest' } }).digest);
    // A release with neither the field nor its default recognizes the retry.
    expect(await digest({ futureField: 1, tags: [] })).toBe(
      keyForRequest('k', { ...sentRequest, body: { tags: [], futureField: 1, title: 'digest' } }).digest,
    );
    expect(await digest({ tags: [] })).not.toBe(await digest({}));
  });
});

const nestJson = (levels: number, [open, close]: readonly [string, string]) =>
  `{"title":"deep","nested":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`;

describe('the JSON body', () => {
  it('may have at most 64 levels, with an Idempotency-Key or without', async () => {
    for (const pair of [['{"a":', '}'] as const, ['[', ']'] as const]) {
      for (const headers of [{}, { 'idempotency-key': `deep ${pair[0]}` }]) {
        expect(await write(nestJson(64, pair), headers)).toMatchObject({ status: 201 });
        const message = 'The request must have at most 64 levels of objects and lists';
        const rejection = { code: 'validation_failed', message: [message], errors: [{ path: 'body', message }] };
        for (const levels of [65, 9_000]) {
          expect(await write(nestJson(levels, pair), headers)).toMatchObject({ status: 400, body: rejection });
        }
      }
    }
  });
});

describe('an error response', () => {
  it('has one shape and lists every validation error once', async () => {
    const { status, body, headers } = await write({ tags: [1, 2] });
    expect(status).toBe(400);
    expect(body).toEqual({
      message: ['Title is required', 'A tag is text'],
      code: 'validation_failed',
      requestId: headers.get('x-request-id'),
      errors: [
        { path: 'body.title', message: 'Title is required' },
        { path: 'body.tags.0', message: 'A tag is text' },
        { path: 'body.tags.1', message: 'A tag is text' },
      ],
    });
    const query = await app.call('GET', '/api/notes?after=soon');
    expect(query.body).toMatchObject({ message: ['Invalid date'], errors: [{ path: 'query.after' }] });
  });

  it.each([
    ['malformed JSON', '{"title":', 400, 'invalid_json'],
    ['JSON that is not an object', '"title"', 400, 'invalid_json'],
    ['a list', '[]', 400, 'validation_failed'],
    ['a body of more than 64 KB', JSON.stringify({ title: 'x'.repeat(65_536) }), 413, 'too_large'],
    ['10,000 nested objects', nestJson(10_000, ['{"a":', '}']), 400, 'validation_failed'],
    ['30,000 nested arrays', nestJson(30_000, ['[', ']']), 400, 'validation_failed'],
    ['an empty body', '', 400, 'validation_failed'],
  ])('rejects %s', async (_description, body, status, code) => {
    expect(await write(body)).toMatchObject({ status, body: { code, requestId: expect.any(String) } });
  });

  it('accepts a body of nearly 64 KB', async () => {
    expect((await write({ title: 'a', tags: ['x'.repeat(65_500)] })).status).toBe(201);
  });

  it('rejects bodies above 16 KB on public endpoints, and above the limit of the contract', async () => {
    const breakWith = (bytes: number) => callBreak('stale'.padEnd(bytes - '{"how":""}'.length, ' '));
    expect((await breakWith(16_385)).status).toBe(413);
    expect((await breakWith(16_384)).status).not.toBe(413);
    const writeLongNote = (bytes: number) =>
      app.call('POST', '/api/notes/long', { token, body: `"${'x'.repeat(bytes - 2)}"` });
    expect((await writeLongNote(100_001)).status).toBe(413);
    expect((await writeLongNote(100_000)).status).toBe(400);
  });

  it('rejects a body by its declared length before reading it', async () => {
    const head = `POST /api/notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(`${head}Content-Length: 65537\r\n\r\n`);
    const [firstChunk] = (await once(socket, 'data')) as [Buffer];
    expect(firstChunk.toString()).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it('applies the same limit to a compressed body after decompression', async () => {
    const response = await fetch(`${app.url}/api/notes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ title: 'x'.repeat(65_536) })),
    });
    expect(response.status).toBe(413);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp'])(
    'rejects the media type %s',
    async (type) => {
      expect(await write('{"title":"a"}', { 'content-type': type })).toMatchObject({
        status: 415,
        body: { code: 'unsupported_media_type' },
      });
    },
  );

  it('rejects an unsupported encoding', async () => {
    const headers = { 'content-encoding': 'compress' };
    expect(await write('{"title":"a"}', headers)).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
    const charset = { 'content-type': 'application/json; charset=latin1' };
    expect(await write('{"title":"a"}', charset)).toMatchObject({ status: 415 });
  });

  it.each(['/api/nothing', '/nothing', '/api/notes/mine/more', '/', '/api/notes/%E0%A4%A'])(
    'responds 404 for the unknown path %s',
    async (path) => {
      expect(await app.call('GET', path, { token })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    },
  );

  it('denies access before the body is validated', async () => {
    const admin = buildUser({ role: 'admin' });
    app.directory.putUser(admin);
    const archive = async (bearer: string | undefined, body: unknown) =>
      app.call('POST', '/api/notes/archive', { ...(bearer && { token: bearer }), body });
    const denial = { status: 403, body: { code: 'forbidden', message: 'Only administrators can archive notes' } };
    for (const body of [{ until: '2026-11-22' }, { until: 'soon' }, 'nonsense'])
      expect(await archive(token, body)).toMatchObject(denial);
    expect(await archive(undefined, {})).toMatchObject({ status: 401 });
    const adminToken = await app.tokens.sign(admin);
    expect(await archive(adminToken, { until: 'soon' })).toMatchObject({ status: 400 });
    expect(await archive(adminToken, { until: '2026-11-22' })).toMatchObject({ status: 204 });
  });

  it('responds 405 with the allowed methods', async () => {
    const responses = await Promise.all(
      ['/api/notes', '/api/notes/mine'].map((path) => fetch(`${app.url}${path}`, { method: 'PUT' })),
    );
    expect(responses.map(({ status }) => status)).toEqual([405, 405]);
    expect(responses[0]?.headers.get('allow')?.split(', ')).toContain('POST');
    expect(responses[1]?.headers.get('allow')).toBe('GET, HEAD');
    expect(await responses[0]?.json()).toMatchObject({
      code: 'method_not_allowed',
      message: 'PUT is not possible here',
    });
  });

  it('responds 405 for a method of a different route that matches the path', async () => {
    // DELETE /notes/:id exists, and no note is called "mine".
    expect((await app.call('DELETE', `/api/notes/${ID}`, { token })).status).toBe(204);
    const response = await fetch(`${app.url}/api/notes/mine`, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['1', 'A'.repeat(24), 'g'.repeat(24), 'a'.repeat(25), `${ID}%20`, '%00', '..%2fusers', `${ID};x`])(
    'treats the malformed id %s like an unknown one',
    async (id) => {
      const response = await app.call('GET', `/api/notes/${id}`, { token });
      expect(response).toMatchObject({ status: 404, body: { code: 'not_found', message: 'Resource not found' } });
    },
  );

  it('includes the current resource on a version conflict', async () => {
    expect(await callBreak('stale')).toMatchObject({
      status: 409,
      body: { code: 'stale_version', current: { _id: ID, version: 2 } },
    });
  });

  it('never exposes internal details', async () => {
    for (const how of ['bug', 'invalid-response']) {
      const { status, body, text } = await callBreak(how);
      expect(status).toBe(500);
      expect(body).toEqual({ message: 'Something went wrong', code: 'internal', requestId: expect.any(String) });
      expect(text).not.toMatch(/secret|hunter2|\.ts|stack|zod/i);
    }
    const database = await callBreak('database');
    expect(database).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(Number(database.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(database.text).not.toMatch(/10\.1\.2\.3|ECONN/);
  });

  it('logs an unknown error once, with the request id and the cause', async () => {
    const { headers } = await callBreak('bug');
    const lines = app.log().filter((line) => line.requestId === headers.get('x-request-id') && line.err);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines[0])).toContain('cannot read');
  });
});

describe('the request id', () => {
  it('is taken from the caller if it is valid', async () => {
    const { headers } = await app.call('GET', '/api/notes', { headers: { 'x-request-id': 'trace-0123456789' } });
    expect(headers.get('x-request-id')).toBe('trace-0123456789');
  });

  it.each(['short', 'with spaces in it', 'x'.repeat(65), '<script>alert(1)</script>', '{"$ne":null}'])(
    'is generated instead of %s',
    async (id) => {
      const { headers } = await app.call('GET', '/api/notes', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/);
    },
  );

  it('is in the log line of the request, with the caller', async () => {
    const { headers } = await app.call('GET', '/api/notes/mine', { token });
    const id = headers.get('x-request-id');
    const line = await waitFor(() => app.log().find(({ requestId, msg }) => requestId === id && msg === 'request'), {
      description: 'the line',
    });
    expect(line).toEqual({
      level: 30,
      time: expect.any(Number),
      service: 'notes',
      requestId: id,
      userId: member._id,
      method: 'GET',
      route: '/notes/mine',
      status: 200,
      ms: expect.any(Number),
      bytes: expect.any(Number),
      msg: 'request',
    });
    expect(line.bytes).toBeGreaterThan(40);
  });
});

describe('load shedding', () => {
  it('rejects requests with Retry-After before anything else, but still responds to probes', async () => {
    app.state.overloaded = true;
    const rejection = await app.call('GET', '/api/notes/mine');
    app.state.overloaded = false;
    expect(rejection).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(rejection.headers.get('retry-after')).toBe('1');
    expect((await app.call('GET', '/livez')).status).toBe(200);
    expect((await app.call('GET', '/metrics')).text).toMatch(/requests_shed_total\{service="notes"\} 1/);
  });
});

describe('health probes', () => {
  it('report degraded dependencies without the reason', async () => {
    const { status, body } = await app.call('GET', '/readyz');
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'degraded', parts: { database: 'ok', mail: 'unavailable' } });
  });

  it('respond 503 while an essential dependency is down, and are measured by route', async () => {
    let isUp = false;
    const check = () => (isUp ? Promise.resolve() : Promise.reject(new Error('unavailable')));
    const testApp = await startTestApp({ checks: [{ name: 'database', essential: true, check }] });
    expect(await testApp.call('GET', '/readyz')).toMatchObject({ status: 503, body: { status: 'unavailable' } });
    isUp = true;
    await waitFor(async () => (await testApp.call('GET', '/readyz')).status === 200, {
      description: 'it to be ready again',
    });
    await testApp.call('GET', '/api/notes');
    await testApp.call('GET', '/api/some/unknown/address');
    const { text } = await testApp.call('GET', '/metrics');
    expect(text).toMatch(
      /http_request_duration_seconds_count\{service="notes",method="GET",route="\/notes",status="200"\} 1/,
    );
    expect(text).not.toContain('some/unknown');
    expect(testApp.log().filter(({ route }) => route === 'probe')).toEqual([]);
    await testApp.close();
  });
});

describe('a client that disconnects', () => {
  it('is counted and logged as aborted', async () => {
    const abortController = new AbortController();
    const headers = { 'content-type': 'application/json' };
    const url = `${app.url}/api/notes/${'a'.repeat(24)}/break`;
    const pendingRequest = fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ how: 'never' }),
      signal: abortController.signal,
    }).catch(() => undefined);
    await waitFor(() => app.state.waiting > 0, { description: 'the request to be in flight' });
    abortController.abort();
    await pendingRequest;
    const line = await waitFor(() => app.log().find(({ status }) => status === 'aborted'), { description: 'the line' });
    expect(line).toMatchObject({ route: '/notes/:id/break', method: 'POST', level: 30, msg: 'request' });
    const { text } = await app.call('GET', '/metrics');
    expect(text).toMatch(/_count\{service="notes",method="POST",route="\/notes\/:id\/break",status="aborted"\} 1/);
  });
});
