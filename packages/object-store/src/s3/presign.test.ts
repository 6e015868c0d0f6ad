import { describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import { createLinkSigner } from './presign.ts';

const config = {
  S3_ENDPOINT: 'http://127.0.0.1:9000',
  S3_PUBLIC_URL: 'https://hub.example.org',
  S3_ACCESS_KEY: 'an-access-key',
  S3_SECRET_KEY: 'a-secret-key/+',
  S3_BUCKET: 'atrium',
  S3_REGION: 'eu-central-1',
};
const target = {
  objectKey: 'documents/aaaaaaaaaaaaaaaaaaaaaaaa/bbbbbbbbbbbbbbbbbbbbbbbb',
  contentType: 'text/plain; charset=utf-8',
  disposition: `attachment; filename="_ (1)'s.txt"; filename*=UTF-8''%C3%9C%20%281%29%27s.txt`,
};

/** Signs the same link with the client library, as an independent reference. */
function signWithLibrary(at: Date): Promise<string> {
  const client = new Client({
    endPoint: 'hub.example.org',
    useSSL: true,
    accessKey: config.S3_ACCESS_KEY,
    secretKey: config.S3_SECRET_KEY,
    region: config.S3_REGION,
    pathStyle: true,
  });
  const parameters = {
    'response-cache-control': 'private, no-store',
    'response-content-disposition': target.disposition,
    'response-content-type': target.contentType,
  };
  return client.presignedUrl('GET', 'atrium', target.objectKey, 300, parameters, at);
}

const sorted = (link: string) => [...new URL(link).searchParams].sort();

describe('createLinkSigner', () => {
  const minute = new Date('2026-11-20T09:30:00Z');

  it('signs like the client library, for the public host', async () => {
    const link = createLinkSigner(config)(target, minute);
    expect(link).toMatch(/^https:\/\/hub\.example\.org\/atrium\/documents\//);
    expect(sorted(link)).toEqual(sorted(await signWithLibrary(minute)));
  });

  it('returns the same link within a minute, and a different one in the next minute and on the next day', async () => {
    const sign = createLinkSigner(config);
    const link = sign(target, minute);
    expect(sign(target, new Date('2026-11-20T09:30:59.999Z'))).toBe(link);
    expect(sign(target, new Date('2026-11-20T09:31:00Z'))).not.toBe(link);
    const nextDay = new Date('2026-11-21T00:00:00Z');
    expect(sorted(sign(target, nextDay))).toEqual(sorted(await signWithLibrary(nextDay)));
  });

  it('returns the same link to a thumbnail for two minutes, with the usual expiry of five', () => {
    const sign = createLinkSigner(config);
    const cacheableTarget = { ...target, isCacheable: true };
    const link = sign(cacheableTarget, minute);
    expect(sign(cacheableTarget, new Date('2026-11-20T09:31:59.999Z'))).toBe(link);
    expect(sign(cacheableTarget, new Date('2026-11-20T09:32:00Z'))).not.toBe(link);
    expect(sign(target, minute)).not.toBe(link);
    expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({
      'X-Amz-Date': '20261120T093000Z',
      'X-Amz-Expires': '300',
      'response-cache-control': 'private, max-age=300',
    });
  });

  it('returns different links for different types of the same object', () => {
    const sign = createLinkSigner(config);
    expect(sign({ ...target, contentType: 'image/png' }, minute)).not.toBe(sign(target, minute));
  });
});
