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

/** The same link by the client library: an independent signer. */
function byLibrary(at: Date): Promise<string> {
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
    expect(sorted(link)).toEqual(sorted(await byLibrary(minute)));
  });

  it('returns the same link within a minute, and another in the next and on the next day', async () => {
    const sign = createLinkSigner(config);
    const link = sign(target, minute);
    expect(sign(target, new Date('2026-11-20T09:30:59.999Z'))).toBe(link);
    expect(sign(target, new Date('2026-11-20T09:31:00Z'))).not.toBe(link);
    const nextDay = new Date('2026-11-21T00:00:00Z');
    expect(sorted(sign(target, nextDay))).toEqual(sorted(await byLibrary(nextDay)));
  });

  it('returns the same link to a thumbnail for two minutes, with the usual expiry of five', () => {
    const sign = createLinkSigner(config);
    const kept = { ...target, isCacheable: true };
    const link = sign(kept, minute);
    expect(sign(kept, new Date('2026-11-20T09:31:59.999Z'))).toBe(link);
    expect(sign(kept, new Date('2026-11-20T09:32:00Z'))).not.toBe(link);
    expect(sign(target, minute)).not.toBe(link);
    expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({
      'X-Amz-Date': '20261120T093000Z',
      'X-Amz-Expires': '300',
      'response-cache-control': 'private, max-age=300',
    });
  });

  it('returns different links for other names or types of the same object', () => {
    const sign = createLinkSigner(config);
    expect(sign({ ...target, contentType: 'image/png' }, minute)).not.toBe(sign(target, minute));
  });
});
