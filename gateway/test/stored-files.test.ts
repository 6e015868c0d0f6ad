import { createHash, randomBytes } from 'node:crypto';
import { type TestBucket, testBucket } from '@atrium/test-kit/backing-servers';
import { freePort } from '@atrium/test-kit/free-port';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import { ask, json } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const BYTES = randomBytes(300_000);
const KEY = 'documents/65f000000000000000000000/1';
let gateway: TestGateway;
let bucket: TestBucket;

const clientAt = (address: string) => {
  const { hostname, port } = new URL(address);
  const { accessKey, secretKey } = bucket;
  return new Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    accessKey,
    secretKey,
    region: 'us-east-1',
  });
};

/** A link like those of the documents service, signed for the public host. */
async function link(key: string, query: Record<string, string> = {}, seconds = 60): Promise<string> {
  const url = new URL(await clientAt(gateway.url).presignedGetObject(bucket.bucket, key, seconds, query));
  return url.pathname + url.search;
}

beforeAll(async () => {
  bucket = await testBucket();
  const store = clientAt(bucket.endpoint);
  await store.putObject(bucket.bucket, KEY, BYTES, BYTES.length, { 'Content-Type': 'text/html' });
  gateway = await startTestGateway({ S3_ENDPOINT: bucket.endpoint, S3_BUCKET: bucket.bucket });
});
afterAll(() => gateway.close());

describe('a presigned link', () => {
  it('downloads the file as an attachment, whatever its type', async () => {
    const path = await link(KEY, { 'response-content-disposition': 'attachment; filename="plan.html"' });
    const answer = await ask(gateway.url, { path });
    expect(answer.status).toBe(200);
    expect(createHash('sha256').update(answer.body).digest('hex')).toBe(
      createHash('sha256').update(BYTES).digest('hex'),
    );
    expect(answer.headers).toMatchObject({
      'content-disposition': 'attachment; filename="plan.html"',
      'content-length': String(BYTES.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
    const names = Object.keys(answer.headers).filter(
      (name) => name.startsWith('x-amz') || name.startsWith('x-minio') || name === 'server',
    );
    expect(names).toEqual([]);
  });

  it('stays an attachment even if the link requests inline display without a signature', async () => {
    for (const query of [{}, { 'response-content-disposition': 'inline' }]) {
      const { headers } = await ask(gateway.url, { path: await link(KEY, query) });
      expect(headers['content-disposition']).toBe('attachment');
    }
  });

  it('shows safe types inline if the link was signed for it', async () => {
    const signed = { 'response-content-disposition': 'inline; filename="a.pdf"' };
    const dispositionOf = async (path: string) => (await ask(gateway.url, { path })).headers['content-disposition'];
    for (const type of ['application/pdf', 'image/png', 'text/plain; charset=utf-8', 'video/mp4', 'audio/ogg']) {
      const path = await link(KEY, { ...signed, 'response-content-type': type });
      const { headers } = await ask(gateway.url, { path });
      expect(headers).toMatchObject({
        'content-disposition': signed['response-content-disposition'],
        'content-type': type,
      });
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
    }
    for (const type of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'text/css', 'nonsense']) {
      expect(await dispositionOf(await link(KEY, { ...signed, 'response-content-type': type }))).toBe('attachment');
    }
    const saved = await link(KEY, {
      'response-content-type': 'image/png',
      'response-content-disposition': 'attachment',
    });
    const changed = saved.replace('disposition=attachment', 'disposition=inline%3B');
    expect((await ask(gateway.url, { path: changed })).status).toBe(403);
  });

  it('ignores object metadata about inline display', async () => {
    const meta = { 'Content-Type': 'image/png', 'Content-Disposition': 'inline; filename="a.png"' };
    await clientAt(bucket.endpoint).putObject(bucket.bucket, 'documents/said', BYTES, BYTES.length, meta);
    const { headers } = await ask(gateway.url, { path: await link('documents/said') });
    expect(headers['content-disposition']).toBe('attachment');
  });

  it('allows private caching if the link was signed for it', async () => {
    const cachingOf = async (value: string) =>
      (await ask(gateway.url, { path: await link(KEY, { 'response-cache-control': value }) })).headers['cache-control'];
    expect(await cachingOf('private, max-age=300')).toBe('private, max-age=300');
    expect(await cachingOf('public, max-age=300')).toBe('private, no-store');
  });

  it('supports range requests, so that downloads can be resumed', async () => {
    const answer = await ask(gateway.url, { path: await link(KEY), headers: { range: 'bytes=100-199' } });
    expect(answer.status).toBe(206);
    expect(answer.headers['content-range']).toBe(`bytes 100-199/${BYTES.length}`);
    expect(answer.body.equals(BYTES.subarray(100, 200))).toBe(true);
  });

  it('works for requests with an access token', async () => {
    const authorization = `Bearer ${await gateway.sign('somebody')}`;
    expect((await ask(gateway.url, { path: await link(KEY), headers: { authorization } })).status).toBe(200);
  });

  it('is rejected with a standard error if it is expired, modified, or for a missing object', async () => {
    const good = await link(KEY);
    const changed = good.replace(/X-Amz-Signature=\w{4}/, 'X-Amz-Signature=0000');
    const foreign = good.replace(KEY, 'documents/somebody-elses');
    for (const path of [changed, foreign]) {
      const answer = await ask(gateway.url, { path });
      expect(answer.status).toBe(403);
      expect(json(answer)).toMatchObject({ message: 'This download link is no longer valid', code: 'forbidden' });
    }
    const missing = await ask(gateway.url, { path: await link('nothing-here') });
    expect(missing.status).toBe(404);
    expect(missing.body.toString()).not.toMatch(/xml|Bucket|HostId/i);
  });
});

describe('the object store', () => {
  it('rejects unsigned requests, other methods, and listings', async () => {
    const path = await link(KEY);
    const name = `/${bucket.bucket}`;
    const list = new URL(await clientAt(gateway.url).presignedUrl('GET', bucket.bucket, '', 60, { 'list-type': '2' }));
    for (const options of [
      { path: path.split('?')[0] ?? '' },
      { path: `${name}/${KEY}?X-Amz-Signatures=1` },
      { path: `${name}/?list-type=2&X-Amz-Signature=1` },
      { path: list.pathname.replace(/\/?$/, '/') + list.search },
      { path, method: 'PUT', body: 'x' },
      { path, method: 'POST' },
      { path, method: 'DELETE' },
      { path: `${name}/../other/x?X-Amz-Signature=1` },
      { path: `${name}/%2e%2e/other?X-Amz-Signature=1` },
      { path: '/minio/health/live' },
    ]) {
      expect((await ask(gateway.url, options)).status).toBe(404);
    }
  });

  it('is rate limited only far above normal use', async () => {
    const strict = await gateway.another({ RATE_LIMIT_DOWNLOAD: '2' });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      statuses.push((await ask(strict.url, { path: `/${bucket.bucket}/${KEY}?X-Amz-Signature=1` })).status);
    }
    expect(statuses).toEqual([403, 403, 429]);
  });

  it('is 503 with a standard error while it is unavailable', async () => {
    const away = await gateway.another({ S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
    const answer = await ask(away.url, { path: await link(KEY) });
    expect(answer.status).toBe(503);
    expect(json(answer)).toMatchObject({ code: 'unavailable' });
    expect((await ask(away.url, { path: '/api/users' })).status).toBe(200);
  });
});
