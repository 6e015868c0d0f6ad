import type { ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, json, openConnection } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

/** What current browsers send over TLS. */
const BROWSER = 'gzip, deflate, br, zstd';
const LIST = { items: Array.from({ length: 100 }, (_, index) => ({ id: index, name: `Project ${index}, äöü` })) };

/** In one piece with a known size, like the services. */
function sendJson(res: ServerResponse, body: unknown, status = 200): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  res.end(text);
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  for (const { respondWith } of [gateway.services.projects, gateway.services.auth])
    respondWith((_req, res) => sendJson(res, LIST));
});
afterAll(() => gateway.close());

const get = (path: string, encoding?: string, method = 'GET') =>
  ask(gateway.url, { path, method, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });

describe('a compressed response', () => {
  it.each([
    [BROWSER, 'zstd', zstdDecompressSync],
    ['*', 'zstd', zstdDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['GZIP', 'gzip', gunzipSync],
    ['zstd;q=0, br;q=0, gzip;q=0.1', 'gzip', gunzipSync],
  ] as const)('for clients that accept %s is compressed with %s', async (accepted, encoding, open) => {
    const answer = await get('/api/projects', accepted);
    expect(answer.headers).toMatchObject({ 'content-encoding': encoding, 'cache-control': 'no-store' });
    expect(answer.headers.vary?.toLowerCase()).toContain('accept-encoding');
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
    expect(JSON.parse(open(answer.body).toString())).toEqual(LIST);
    expect(answer.body.length).toBeLessThan(JSON.stringify(LIST).length / 2);
  });

  it.each([undefined, '', 'identity', 'deflate, compress', 'gzip;q=0', '%%%'])(
    'goes as it is to who takes %s',
    async (accepted) => {
      const answer = await get('/api/projects', accepted);
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.headers.vary?.toLowerCase()).toContain('accept-encoding');
      expect(json(answer)).toEqual(LIST);
    },
  );

  it('of auth is sent uncompressed, so that its size reveals no secrets', async () => {
    const answer = await get('/api/auth/sessions', BROWSER);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(json(answer)).toEqual(LIST);
  });

  it('has no body for HEAD', async () => {
    const answer = await get('/api/projects', BROWSER, 'HEAD');
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.body).toHaveLength(0);
  });

  it.each([
    ['is short', 'application/json', {}, JSON.stringify({ text: 'x'.repeat(900) })],
    ['is neither JSON nor a calendar', 'text/plain; charset=utf-8', {}, 'x'.repeat(9_000)],
    ['is too long to hold up the others', 'application/json', {}, JSON.stringify('x'.repeat(600_000))],
    ['is compressed already', 'application/json', { 'content-encoding': 'gzip' }, 'x'.repeat(9_000)],
  ])('is sent uncompressed if it %s', async (_why, type, headers, body) => {
    gateway.services.meetings.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': type, 'content-length': body.length, ...headers }).end(body);
    });
    const answer = await get('/api/meetings', BROWSER);
    expect(answer.body.toString()).toBe(body);
    expect(answer.headers).toMatchObject({ ...headers, 'content-length': String(body.length) });
    expect(answer.headers['content-encoding']).toBe((headers as Record<string, string>)['content-encoding']);
  });

  it('keeps its status and headers', async () => {
    const details = Array.from({ length: 50 }, (_, index) => ({ field: `field-${index}`, message: 'is too long' }));
    gateway.services.users.respondWith((_req, res) => {
      res.setHeader('x-of-its-own', 'yes');
      sendJson(res, { code: 'validation_failed', details }, 422);
    });
    const answer = await get('/api/users', BROWSER);
    expect(answer.status).toBe(422);
    expect(answer.headers).toMatchObject({ 'x-of-its-own': 'yes', 'content-type': 'application/json; charset=utf-8' });
    expect(JSON.parse(zstdDecompressSync(answer.body).toString())).toEqual({ code: 'validation_failed', details });
  });

  it('is aborted when the upstream breaks off, so that clients do not take it for complete', async () => {
    gateway.services.documents.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': 300_000 });
      res.write('['.padEnd(200_000, '1,'), () => res.destroy());
    });
    await expect(get('/api/documents', BROWSER)).rejects.toThrow('hang up');
  });

  it('is not read to its end when the client has disconnected', async () => {
    let isClosed = false;
    gateway.services.chat.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': 300_000 });
      res.once('close', () => {
        isClosed = true;
      });
      res.write('['.padEnd(200_000, '1,'));
    });
    const { socket } = await openConnection(gateway.url);
    socket.write(`GET /api/chat/conversations HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${BROWSER}\r\n\r\n`);
    await waitFor(() => gateway.services.chat.requests.length === 1, { what: 'the request to arrive' });
    socket.destroy();
    await waitFor(() => isClosed, { what: 'the service to be notified' });
  });
});
