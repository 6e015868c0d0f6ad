import type { ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection, parseJson, sendRequest } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

/** The header that current browsers send over TLS. */
const BROWSER_ENCODINGS = 'gzip, deflate, br, zstd';
const LIST = { items: Array.from({ length: 100 }, (_, index) => ({ id: index, name: `Project ${index}, äöü` })) };

/** Sends the response in one piece with a known size, like the services. */
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
  sendRequest(gateway.url, { path, method, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });

describe('a response of a service', () => {
  it.each([
    [BROWSER_ENCODINGS, 'zstd', zstdDecompressSync],
    ['*', 'zstd', zstdDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['GZIP', 'gzip', gunzipSync],
    ['zstd;q=0, br;q=0, gzip;q=0.1', 'gzip', gunzipSync],
  ] as const)('is compressed for clients that accept %s with %s', async (acceptedEncodings, encoding, decompress) => {
    const response = await get('/api/projects', acceptedEncodings);
    expect(response.headers).toMatchObject({ 'content-encoding': encoding, 'cache-control': 'no-store' });
    expect(response.headers.vary?.toLowerCase()).toContain('accept-encoding');
    expect(response.headers['content-length']).toBe(String(response.body.length));
    expect(JSON.parse(decompress(response.body).toString())).toEqual(LIST);
    expect(response.body.length).toBeLessThan(JSON.stringify(LIST).length / 2);
  });

  it.each([undefined, '', 'identity', 'deflate, compress', 'gzip;q=0', '%%%'])(
    'is sent uncompressed to clients that accept %s',
    async (acceptedEncodings) => {
      const response = await get('/api/projects', acceptedEncodings);
      expect(response.headers['content-encoding']).toBeUndefined();
      expect(response.headers.vary?.toLowerCase()).toContain('accept-encoding');
      expect(parseJson(response)).toEqual(LIST);
    },
  );

  it('is sent uncompressed if it is from auth, so that its size reveals no secrets', async () => {
    const response = await get('/api/auth/sessions', BROWSER_ENCODINGS);
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(parseJson(response)).toEqual(LIST);
  });

  it('has no body for HEAD', async () => {
    const response = await get('/api/projects', BROWSER_ENCODINGS, 'HEAD');
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.body).toHaveLength(0);
  });

  it.each([
    ['is short', 'application/json', {}, JSON.stringify({ text: 'x'.repeat(900) })],
    ['is neither JSON nor a calendar', 'text/plain; charset=utf-8', {}, 'x'.repeat(9_000)],
    ['is so long that compressing it would delay others', 'application/json', {}, JSON.stringify('x'.repeat(600_000))],
    ['is compressed already', 'application/json', { 'content-encoding': 'gzip' }, 'x'.repeat(9_000)],
  ])('is sent uncompressed if it %s', async (_reason, type, headers, body) => {
    gateway.services.meetings.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': type, 'content-length': body.length, ...headers }).end(body);
    });
    const response = await get('/api/meetings', BROWSER_ENCODINGS);
    expect(response.body.toString()).toBe(body);
    expect(response.headers).toMatchObject({ ...headers, 'content-length': String(body.length) });
    expect(response.headers['content-encoding']).toBe((headers as Record<string, string>)['content-encoding']);
  });

  it('keeps its status and headers when it is compressed', async () => {
    const details = Array.from({ length: 50 }, (_, index) => ({ field: `field-${index}`, message: 'is too long' }));
    gateway.services.users.respondWith((_req, res) => {
      res.setHeader('x-custom', 'yes');
      sendJson(res, { code: 'validation_failed', details }, 422);
    });
    const response = await get('/api/users', BROWSER_ENCODINGS);
    expect(response.status).toBe(422);
    expect(response.headers).toMatchObject({ 'x-custom': 'yes', 'content-type': 'application/json; charset=utf-8' });
    expect(JSON.parse(zstdDecompressSync(response.body).toString())).toEqual({ code: 'validation_failed', details });
  });

  it('is aborted when the upstream disconnects, so that clients do not mistake it for a complete one', async () => {
    gateway.services.documents.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': 300_000 });
      res.write('['.padEnd(200_000, '1,'), () => res.destroy());
    });
    await expect(get('/api/documents', BROWSER_ENCODINGS)).rejects.toThrow('hang up');
  });

  it('is aborted at the service when the client disconnects', async () => {
    let isClosed = false;
    gateway.services.chat.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': 300_000 });
      res.once('close', () => {
        isClosed = true;
      });
      res.write('['.padEnd(200_000, '1,'));
    });
    const { socket } = await openConnection(gateway.url);
    socket.write(`GET /api/chat/conversations HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${BROWSER_ENCODINGS}\r\n\r\n`);
    await waitFor(() => gateway.services.chat.requests.length === 1, { description: 'the request to arrive' });
    socket.destroy();
    await waitFor(() => isClosed, { description: 'the service to be notified' });
  });
});
