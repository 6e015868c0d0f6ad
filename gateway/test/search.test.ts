import type { IncomingMessage, ServerResponse } from 'node:http';
import { searchType } from '@atrium/proto-events/http/search/everything';
import { recordResponse } from '@atrium/test-kit/coverage-records';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Service } from '../src/upstream/upstreams.ts';
import { parseJson, sendRequest } from './raw-http.ts';
import { readMetric } from './read-metric.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';
import { sendJson } from './start-upstream.ts';

let gateway: TestGateway;
const SEARCHED: readonly Service[] = ['users', 'projects', 'meetings', 'documents', 'chat'];
const NOTHING = { data: [], total: 0, more: false };

beforeEach(async () => {
  gateway ??= await startTestGateway();
  for (const name of SEARCHED) gateway.services[name].respondWith((_req, res) => sendJson(res, NOTHING));
});
afterAll(() => gateway.close());

async function search(query: string, headers: Record<string, string> = { authorization: 'Bearer token' }) {
  const path = `/search?${query}`;
  const response = await sendRequest(gateway.url, { path: `/api${path}`, headers });
  const body = parseJson(response) as { groups: { type: string }[]; missing: string[] };
  recordResponse('gateway', { method: 'GET', path }, { status: response.status, body });
  return { status: response.status, headers: response.headers, body };
}

const hang = (_req: IncomingMessage, _res: ServerResponse) => undefined;

describe('a search of everything', () => {
  it('requests every type concurrently as the caller, and responds in a fixed order', async () => {
    const { status, body } = await search('q=caf%C3%A9%20%22a%20b%22&limit=7', {
      authorization: 'Bearer token',
      'x-request-id': 'request-0001',
      'x-forwarded-for': '203.0.113.9',
      cookie: 'secret=1',
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { groups: searchType.options.map((type) => ({ type, ...NOTHING })), missing: [] },
    });
    const requests = SEARCHED.flatMap((name) => gateway.services[name].requests);
    expect(requests.map(({ url }) => url).toSorted()).toEqual(
      ['chat', 'documents', 'meetings', 'projects', 'tasks', 'users'].map(
        (resource) => `/api/${resource}/search?q=caf%C3%A9+%22a+b%22&limit=7`,
      ),
    );
    for (const { headers } of requests) {
      expect(headers).toMatchObject({
        authorization: 'Bearer token',
        'x-request-id': 'request-0001',
        'x-forwarded-for': '127.0.0.1',
      });
      expect(headers).not.toHaveProperty('cookie');
    }
  });

  it('requests only the types of the query, and the time zone for dates', async () => {
    const requestsBefore = gateway.services.chat.requests.length;
    const { body } = await search('q=on:2026-01-01&types=message,nothing&timezone=Europe%2FBerlin');
    expect(body.groups.map(({ type }) => type)).toEqual(['message']);
    expect(gateway.services.chat.requests.slice(requestsBefore).map(({ url }) => url)).toEqual([
      '/api/chat/search?q=on%3A2026-01-01&limit=5&timezone=Europe%2FBerlin',
    ]);
  });

  it('names services that do not respond, without waiting for them', async () => {
    gateway.services.documents.respondWith(hang);
    gateway.services.chat.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      res.write('{"data":[');
    });
    const { body } = await search('q=a');
    expect(body.missing).toEqual(['document', 'message']);
    expect(body.groups.map(({ type }) => type)).toEqual(['person', 'project', 'task', 'meeting']);
  });

  it('names services that are down or respond with an error', async () => {
    const other = await startTestGateway();
    for (const name of SEARCHED) other.services[name].respondWith((_req, res) => sendJson(res, NOTHING));
    other.services.users.respondWith((_req, res) => sendJson(res, { message: 'no' }, 503));
    await other.services.meetings.stop();
    const response = await sendRequest(other.url, { path: '/api/search?q=a' });
    expect(parseJson(response)).toMatchObject({ missing: ['person', 'meeting'] });
    await other.close();
  });

  it('retries over a new connection if a kept-alive one breaks', async () => {
    await search('q=a');
    let requests = 0;
    gateway.services.documents.respondWith((req, res) => {
      requests += 1;
      if (requests === 1) req.socket.destroy();
      else sendJson(res, NOTHING);
    });
    expect((await search('q=a')).body.missing).toEqual([]);
  });

  it('responds 401 as the services do for an invalid token', async () => {
    const denial = { message: 'Please sign in', code: 'unauthorized', requestId: 'request-0001' };
    for (const name of SEARCHED) gateway.services[name].respondWith((_req, res) => sendJson(res, denial, 401));
    const { status, body } = await search('q=a', {});
    expect({ status, body }).toEqual({ status: 401, body: denial });
  });

  it('rejects a missing query and one that is too long', async () => {
    expect((await search('')).status).toBe(400);
    expect((await search(`q=${'a'.repeat(501)}`)).status).toBe(400);
  });

  it('is compressed like responses of services', async () => {
    const data = [{ name: 'a'.repeat(5_000) }];
    gateway.services.users.respondWith((_req, res) => sendJson(res, { ...NOTHING, data }));
    const response = await sendRequest(gateway.url, {
      path: '/api/search?q=a',
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(response.headers.vary).toContain('Accept-Encoding');
    expect(response.body.length).toBeLessThan(2_000);
  });

  it('aborts the requests to services if the caller disconnects, which is no failure', async () => {
    const countFailures = () => readMetric(gateway, { name: 'upstream_failures_total', label: 'chat' });
    const failuresBefore = await countFailures();
    const { promise: isAborted, resolve: markAborted } = Promise.withResolvers<void>();
    const { promise: hasArrived, resolve: markArrived } = Promise.withResolvers<void>();
    gateway.services.chat.respondWith((_req, res) => {
      res.on('close', markAborted);
      markArrived();
    });
    const controller = new AbortController();
    const response = fetch(`${gateway.url}/api/search?q=a`, { signal: controller.signal });
    await hasArrived;
    controller.abort();
    await expect(response).rejects.toThrow();
    await isAborted;
    expect(failuresBefore).toEqual(expect.any(Number));
    expect(await countFailures()).toBe(failuresBefore);
  });
});
