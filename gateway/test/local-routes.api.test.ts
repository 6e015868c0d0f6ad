import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { recordResponse } from '@atrium/test-kit/coverage-records';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Service } from '../src/upstream/upstreams.ts';
import { parseJson, type RawResponse, sendRequest } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';
import { sendJson } from './start-upstream.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function call(method: string, path: string, options: { body?: string; headers?: Record<string, string> } = {}) {
  const response = await sendRequest(gateway.url, { method, path: `/api${path}`, ...options });
  const isJson = response.headers['content-type']?.startsWith('application/json') && response.body.length > 0;
  recordResponse(
    'gateway',
    { method, path },
    { status: response.status, body: isJson ? parseJson(response) : undefined },
  );
  return response;
}

const setReadiness = (service: Service, status: 'ok' | 'degraded' | 'unavailable', parts = {}) =>
  gateway.services[service].respondWith((_req, res) =>
    sendJson(res, { status, parts }, status === 'unavailable' ? 503 : 200),
  );

/** Waits, because results are cached for a second. */
const waitForHealth = (matches: (response: RawResponse) => boolean) =>
  waitFor(
    async () => {
      const response = await call('GET', '/health');
      return matches(response) ? response : undefined;
    },
    { description: 'the expected health status', intervalMs: 100 },
  );

type Health = { status: string; services: Record<Service, { status: string; latencyMs: number }> };
const parseHealth = (response: RawResponse) => parseJson(response) as Health;

describe('GET /health', () => {
  it('is ok while every service is ok, and reports the latency of each', async () => {
    for (const service of Object.keys(gateway.services) as Service[]) setReadiness(service, 'ok');
    const response = await waitForHealth(({ status }) => status === 200);
    expect(parseHealth(response).status).toBe('ok');
    expect(Object.keys(parseHealth(response).services).sort()).toEqual(Object.keys(gateway.services).sort());
    for (const part of Object.values(parseHealth(response).services)) {
      expect(part.status).toBe('ok');
      expect(part.latencyMs).toBeGreaterThanOrEqual(0);
    }
  });

  it('checks the services once for all requests within a second', async () => {
    await waitForHealth(() => true);
    const requestsBefore = gateway.services.users.requests.length;
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => call('GET', '/health')));
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(gateway.services.users.requests.length - requestsBefore).toBeLessThanOrEqual(1 + Math.floor(seconds));
  });

  it('is degraded, and still 200, while a service is degraded, unready, unavailable, or silent', async () => {
    setReadiness('chat', 'degraded');
    setReadiness('meetings', 'unavailable');
    await gateway.services.documents.stop();
    gateway.services.notifications.respondWith(() => undefined);
    const response = await waitForHealth(
      (latest) => latest.status === 200 && parseHealth(latest).status === 'degraded',
    );
    expect(parseHealth(response).services).toMatchObject({
      auth: { status: 'ok' },
      chat: { status: 'degraded' },
      meetings: { status: 'unavailable' },
      documents: { status: 'unavailable' },
      notifications: { status: 'unavailable' },
    });
    expect(parseHealth(response).services.notifications.latencyMs).toBeLessThan(10_000);
    await gateway.services.documents.restart();
    for (const service of ['chat', 'meetings', 'documents', 'notifications'] as const) setReadiness(service, 'ok');
    await waitForHealth((latest) => latest.status === 200 && parseHealth(latest).status === 'ok');
  });

  it('is degraded while a pod shuts down, because it still serves requests', async () => {
    setReadiness('auth', 'unavailable', { process: 'unavailable' });
    const response = await waitForHealth(
      (latest) => latest.status !== 200 || parseHealth(latest).status === 'degraded',
    );
    expect(response.status).toBe(200);
    expect(parseHealth(response).services.auth.status).toBe('degraded');
    setReadiness('auth', 'ok');
    await waitForHealth((latest) => latest.status === 200 && parseHealth(latest).status === 'ok');
  });

  it('is 503 when auth’s user directory is too old to sign anyone in', async () => {
    setReadiness('auth', 'degraded', { 'sign-in': 'unavailable' });
    await waitForHealth(({ status }) => status === 503);
    setReadiness('auth', 'ok');
    await waitForHealth(({ status }) => status === 200);
  });

  it.each(['auth', 'users'] as const)('is 503 when no one can sign in because %s is unavailable', async (service) => {
    setReadiness(service, 'unavailable');
    const response = await waitForHealth(({ status }) => status === 503);
    expect(parseJson(response)).toMatchObject({ code: 'unavailable', requestId: response.headers['x-request-id'] });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    setReadiness(service, 'ok');
    await waitForHealth(({ status }) => status === 200);
  });
});

describe('POST /client-errors', () => {
  const report = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    call('POST', '/client-errors', { body, headers });

  it('accepts an error reported by a browser', async () => {
    const response = await report(JSON.stringify({ message: 'x is not a function', stack: 'at y', path: '/chat' }));
    expect(response.status).toBe(204);
    expect(response.body.length).toBe(0);
  });

  it('rejects an invalid report with a standard error', async () => {
    const invalidReport = await report('{}');
    expect(invalidReport.status).toBe(400);
    expect(parseJson(invalidReport)).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body.message' }] });
    expect(parseJson(await report('{"message":'))).toMatchObject({ code: 'invalid_json' });
    expect((await report(JSON.stringify({ message: 'x'.repeat(2001) }))).status).toBe(400);
    expect((await report(JSON.stringify({ message: 'x', extra: 'x'.repeat(52_000) }))).status).toBe(413);
    expect((await report('message=x', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await call('POST', '/client-errors')).status).toBe(400);
  });

  it('has a separate rate limit, so that no one can flood the log', async () => {
    const strictGateway = await gateway.startAnother({ RATE_LIMIT_CLIENT_ERRORS: '2' });
    const statuses = [];
    for (const path of ['/api/client-errors', '/API/Client-Errors/', '/Api/CLIENT-ERRORS']) {
      const options = { method: 'POST', path, body: '{"message":"x"}' };
      statuses.push(
        (await sendRequest(strictGateway.url, { ...options, headers: { 'content-type': 'application/json' } })).status,
      );
    }
    expect(statuses).toEqual([204, 204, 429]);
  });
});

describe('an unsupported method of a gateway endpoint', () => {
  it.each([
    ['GET', '/client-errors', 'POST'],
    ['DELETE', '/health', 'GET, HEAD'],
  ])('is 405 with an Allow header: %s %s', async (method, path, allowed) => {
    const response = await call(method, path);
    expect(response.status).toBe(405);
    expect(parseJson(response)).toMatchObject({ code: 'method_not_allowed' });
    expect(response.headers.allow).toBe(allowed);
  });
});

describe('the API description', () => {
  it('documents every endpoint', async () => {
    const response = await call('GET', '/openapi.json');
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    const { openapi, paths } = parseJson(response) as {
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    };
    expect(openapi).toMatch(/^3\.1/);
    expect(Object.values(paths).flatMap((methods) => Object.keys(methods))).toHaveLength(ALL_ENDPOINTS.length);
  });

  it('has a page without inline scripts', async () => {
    const page = await call('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    const text = page.body.toString();
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=/);
    const files = [...text.matchAll(/(?:src|href)="\/api([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(files.length).toBeGreaterThan(3);
    for (const path of files) expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
    for (const path of ['/docs/package.json', '/docs/..%2findex.js', '/docs/swagger-ui.js.map', '/docs/constructor']) {
      expect((await call('GET', path)).status).toBe(404);
    }
  });
});

describe('the internal port', () => {
  it('serves probes, and metrics that count public requests by route', async () => {
    const get = (path: string) => sendRequest(gateway.internalUrl, { path });
    expect(parseJson(await get('/livez'))).toEqual({ status: 'ok' });
    expect(parseJson(await get('/readyz'))).toEqual({ status: 'ok', parts: {} });
    await call('GET', '/projects/64b7f0c2a1b2c3d4e5f60718');
    await call('GET', '/projects/64b7f0c2a1b2c3d4e5f60718/nothing/64b7f0c2a1b2c3d4e5f60719');
    const metrics = (await get('/metrics')).body.toString();
    expect(metrics).toMatch(
      /http_request_duration_seconds_count\{[^}]*route="\/projects\/:id",status="200"[^}]*\} 1\n/,
    );
    expect(metrics).toMatch(/http_request_duration_seconds_count\{[^}]*route="other"[^}]*\} \d/);
    expect(metrics).not.toContain('64b7f0c2a1b2c3d4e5f6071');
    expect((await get('/api/health')).status).toBe(404);
  });
});
