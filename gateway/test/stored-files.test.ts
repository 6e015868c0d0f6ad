import { createHash, randomBytes } from 'node:crypto';
import { type TestBucket, testBucket } from '@atrium/test-kit/backing-servers';
import { freePort } from '@atrium/test-kit/free-port';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import { parseJson, sendRequest } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const BYTES = randomBytes(300_000);
const KEY = 'documents/65f000000000000000000000/1';
let gateway: TestGateway;
let bucket: TestBucket;

const createStoreClient = (address: string) => {
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

/** Signs a link for the public host, like those of the documents service. */
async function signLink(key: string, query: Record<string, string> = {}, seconds = 60): Promise<string> {
  const url = new URL(await createStoreClient(gateway.url).presignedGetObject(bucket.bucket, key, seconds, query));
  return url.pathname + url.search;
}

beforeAll(async () => {
  bucket = await testBucket();
  const store = createStoreClient(bucket.endpoint);
  await store.putObject(bucket.bucket, KEY, BYTES, BYTES.length, { 'Content-Type': 'text/html' });
  gateway = await startTestGateway({ S3_ENDPOINT: bucket.endpoint, S3_BUCKET: bucket.bucket });
});
afterAll(() => gateway.close());

describe('a presigned link', () => {
  it('downloads the file as an attachment, even if its type could be shown inline', async () => {
    const path = await signLink(KEY, { 'response-content-disposition': 'attachment; filename="plan.html"' });
    const response = await sendRequest(gateway.url, { path });
    expect(response.status).toBe(200);
    expect(createHash('sha256').update(response.body).digest('hex')).toBe(
      createHash('sha256').update(BYTES).digest('hex'),
    );
    expect(response.headers).toMatchObject({
      'content-disposition': 'attachment; filename="plan.html"',
      'content-length': String(BYTES.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    expect(response.headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
    const names = Object.keys(response.headers).filter(
      (name) => name.startsWith('x-amz') || name.startsWith('x-minio') || name === 'server',
    );
    expect(names).toEqual([]);
  });

  it('downloads an attachment if the link does not request inline display with a file name', async () => {
    for (const query of [{}, { 'response-content-disposition': 'inline' }]) {
      const { headers } = await sendRequest(gateway.url, { path: await signLink(KEY, query) });
      expect(headers['content-disposition']).toBe('attachment');
    }
  });

  it('shows safe types inline if the link was signed for it', async () => {
    const inlineQuery = { 'response-content-disposition': 'inline; filename="a.pdf"' };
    const readDisposition = async (path: string) =>
      (await sendRequest(gateway.url, { path })).headers['content-disposition'];
    for (const type of ['application/pdf', 'image/png', 'text/plain; charset=utf-8', 'video/mp4', 'audio/ogg']) {
      const path = await signLink(KEY, { ...inlineQuery, 'response-content-type': type });
      const { headers } = await sendRequest(gateway.url, { path });
      expect(headers).toMatchObject({
        'content-disposition': inlineQuery['response-content-disposition'],
        'content-type': type,
      });
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
    }
    for (const type of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'text/css', 'nonsense']) {
      expect(await readDisposition(await signLink(KEY, { ...inlineQuery, 'response-content-type': type }))).toBe(
        'attachment',
      );
    }
    const attachmentLink = await signLink(KEY, {
      'response-content-type': 'image/png',
      'response-content-disposition': 'attachment',
    });
    const changedLink = attachmentLink.replace('disposition=attachment', 'disposition=inline%3B');
    expect((await sendRequest(gateway.url, { path: changedLink })).status).toBe(403);
  });

  it('ignores object metadata about inline display', async () => {
    const metadata = { 'Content-Type': 'image/png', 'Content-Disposition': 'inline; filename="a.png"' };
    await createStoreClient(bucket.endpoint).putObject(
      bucket.bucket,
      'documents/inline-metadata',
      BYTES,
      BYTES.length,
      metadata,
    );
    const { headers } = await sendRequest(gateway.url, { path: await signLink('documents/inline-metadata') });
    expect(headers['content-disposition']).toBe('attachment');
  });

  it('allows private caching if the link was signed for it', async () => {
    const readCacheControl = async (value: string) =>
      (await sendRequest(gateway.url, { path: await signLink(KEY, { 'response-cache-control': value }) })).headers[
        'cache-control'
      ];
    expect(await readCacheControl('private, max-age=300')).toBe('private, max-age=300');
    expect(await readCacheControl('public, max-age=300')).toBe('private, no-store');
  });

  it('supports range requests, so that downloads can be resumed', async () => {
    const response = await sendRequest(gateway.url, { path: await signLink(KEY), headers: { range: 'bytes=100-199' } });
    expect(response.status).toBe(206);
    expect(response.headers['content-range']).toBe(`bytes 100-199/${BYTES.length}`);
    expect(response.body.equals(BYTES.subarray(100, 200))).toBe(true);
  });

  it('works for requests with an access token', async () => {
    const authorization = `Bearer ${await gateway.sign('user-1')}`;
    expect((await sendRequest(gateway.url, { path: await signLink(KEY), headers: { authorization } })).status).toBe(
      200,
    );
  });

  it('is rejected with a standard error if it was modified or its object is missing', async () => {
    const validLink = await signLink(KEY);
    const changedLink = validLink.replace(/X-Amz-Signature=\w{4}/, 'X-Amz-Signature=0000');
    const foreignLink = validLink.replace(KEY, 'documents/different-object');
    for (const path of [changedLink, foreignLink]) {
      const response = await sendRequest(gateway.url, { path });
      expect(response.status).toBe(403);
      expect(parseJson(response)).toMatchObject({
        message: 'This download link is no longer valid',
        code: 'forbidden',
      });
    }
    const missingResponse = await sendRequest(gateway.url, { path: await signLink('nothing-here') });
    expect(missingResponse.status).toBe(404);
    expect(missingResponse.body.toString()).not.toMatch(/xml|Bucket|HostId/i);
  });
});

describe('the object store behind the gateway', () => {
  it('rejects unsigned requests, other methods, and listings', async () => {
    const path = await signLink(KEY);
    const name = `/${bucket.bucket}`;
    const listUrl = new URL(
      await createStoreClient(gateway.url).presignedUrl('GET', bucket.bucket, '', 60, { 'list-type': '2' }),
    );
    for (const options of [
      { path: path.split('?')[0] ?? '' },
      { path: `${name}/${KEY}?X-Amz-Signatures=1` },
      { path: `${name}/?list-type=2&X-Amz-Signature=1` },
      { path: listUrl.pathname.replace(/\/?$/, '/') + listUrl.search },
      { path, method: 'PUT', body: 'x' },
      { path, method: 'POST' },
      { path, method: 'DELETE' },
      { path: `${name}/../other/x?X-Amz-Signature=1` },
      { path: `${name}/%2e%2e/other?X-Amz-Signature=1` },
      { path: '/minio/health/live' },
    ]) {
      expect((await sendRequest(gateway.url, options)).status).toBe(404);
    }
  });

  it('rejects downloads above the rate limit with 429', async () => {
    const strictGateway = await gateway.startAnother({ RATE_LIMIT_DOWNLOAD: '2' });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      statuses.push(
        (await sendRequest(strictGateway.url, { path: `/${bucket.bucket}/${KEY}?X-Amz-Signature=1` })).status,
      );
    }
    expect(statuses).toEqual([403, 403, 429]);
  });

  it('is 503 with a standard error while it is unavailable', async () => {
    const storelessGateway = await gateway.startAnother({ S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
    const response = await sendRequest(storelessGateway.url, { path: await signLink(KEY) });
    expect(response.status).toBe(503);
    expect(parseJson(response)).toMatchObject({ code: 'unavailable' });
    expect((await sendRequest(storelessGateway.url, { path: '/api/users' })).status).toBe(200);
  });
});
