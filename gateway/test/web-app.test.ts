import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, sendRequest } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const PAGE = '<!doctype html><title>Atrium</title>';
const SCRIPT = `console.log(${JSON.stringify('0123456789'.repeat(50))});`;
let gateway: TestGateway;
let root: string;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-web-'));
  root = join(folder, 'dist');
  await mkdir(join(root, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'outside');
  await writeFile(join(root, '.hidden'), 'hidden');
  await writeFile(join(root, 'index.html'), PAGE);
  await writeFile(join(root, 'index.html.br'), brotliCompressSync(PAGE));
  await writeFile(join(root, 'robots.txt'), 'User-agent: *');
  await writeFile(join(root, 'assets', 'main-4f1c.js'), SCRIPT);
  await writeFile(join(root, 'assets', 'main-4f1c.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(root, 'assets', 'main-4f1c.js.gz'), gzipSync(SCRIPT));
  gateway = await startTestGateway({ WEB_ROOT: root });
});
afterAll(async () => {
  await gateway.close();
  await rm(join(root, '..'), { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => sendRequest(gateway.url, { path, headers });
const ASSET = '/assets/main-4f1c.js';

describe('files with a content hash', () => {
  it('are sent in the best accepted encoding, with their own media type', async () => {
    const brotliResponse = await get(ASSET, { 'accept-encoding': 'gzip, deflate, br' });
    expect(brotliResponse.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(brotliResponse.headers['content-type']).toMatch(/^text\/javascript/);
    expect(brotliDecompressSync(brotliResponse.body).toString()).toBe(SCRIPT);
    const gzipResponse = await get(ASSET, { 'accept-encoding': 'gzip, br;q=0' });
    expect(gzipResponse.headers['content-encoding']).toBe('gzip');
    const uncompressedResponse = await get(ASSET);
    expect(uncompressedResponse.headers).not.toHaveProperty('content-encoding');
    expect(uncompressedResponse.body.toString()).toBe(SCRIPT);
  });

  it('are cached for a year', async () => {
    expect((await get(ASSET)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('have a short policy instead of the headers of pages', async () => {
    const { headers } = await get(ASSET);
    expect(headers['content-security-policy']).toBe("default-src 'self';frame-ancestors 'none'");
    expect(headers).not.toHaveProperty('permissions-policy');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    const page = await get('/', { accept: 'text/html' });
    expect(page.headers['content-security-policy']).toContain('form-action');
    expect(page.headers).toHaveProperty('permissions-policy');
  });

  it('are 404 if missing, so that an outdated page notices', async () => {
    const response = await get('/assets/outdated-1234.js', { accept: 'text/html' });
    expect(response.status).toBe(404);
    expect(parseJson(response)).toMatchObject({ code: 'not_found' });
    expect((await get('/assets/')).status).toBe(404);
  });

  it('support ranges, HEAD, and 304', async () => {
    const rangeResponse = await get(ASSET, { range: 'bytes=-5' });
    expect(rangeResponse.status).toBe(206);
    expect(rangeResponse.body.toString()).toBe(SCRIPT.slice(-5));
    expect((await get(ASSET, { range: 'bytes=100000-' })).status).toBe(416);
    const headResponse = await sendRequest(gateway.url, { method: 'HEAD', path: ASSET });
    expect(headResponse.headers['content-length']).toBe(String(SCRIPT.length));
    expect(headResponse.body.length).toBe(0);
    const revalidated = await get(ASSET, { 'if-none-match': headResponse.headers.etag ?? '' });
    expect(revalidated.status).toBe(304);
  });
});

describe('the page of the web app', () => {
  it.each([
    '/',
    '/index.html',
    '/login',
    '/accept-invite?token=abc',
    '/progress/65f000000000000000000000',
    '/assets-of-mine',
  ])('is sent for %s and always revalidated', async (path) => {
    const response = await get(path, { accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'br' });
    expect(response.status).toBe(200);
    expect(brotliDecompressSync(response.body).toString()).toBe(PAGE);
    expect(response.headers['content-type']).toMatch(/^text\/html/);
    expect(response.headers['cache-control']).toBe('no-cache');
  });

  it('is not sent for other requests', async () => {
    expect((await get('/login', { accept: 'application/json' })).status).toBe(404);
    expect((await get('/favicon.ico', { accept: 'text/html' })).status).toBe(404);
    expect(
      (await sendRequest(gateway.url, { method: 'POST', path: '/login', headers: { accept: 'text/html' } })).status,
    ).toBe(404);
  });
});

describe('files outside the folder of the web app', () => {
  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/.hidden',
    '/%00',
    '/%ff',
    '/assets',
  ])('are not reachable by %s', async (path) => {
    const response = await get(path, { accept: 'image/png' });
    expect(response.status).toBe(404);
    expect(response.body.toString()).not.toMatch(/outside|hidden/);
  });
});

it('revalidates files without a content hash', async () => {
  const response = await get('/robots.txt');
  expect(response.body.toString()).toBe('User-agent: *');
  expect(response.headers['cache-control']).toBe('no-cache');
});
