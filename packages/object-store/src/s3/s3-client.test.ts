import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createS3Client } from './s3-client.ts';

const MIB = 1024 * 1024;
const PROCESSING_MS = 600;

const server = createServer((req, res) => {
  req.resume();
  setTimeout(() => {
    res.end(
      '<CopyObjectResult><ETag>"1"</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></CopyObjectResult>',
    );
  }, PROCESSING_MS);
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

const open = () => {
  const { port } = server.address() as AddressInfo;
  const keys = { S3_ACCESS_KEY: 'someone', S3_SECRET_KEY: 'something', S3_REGION: 'us-east-1' };
  return createS3Client({ S3_ENDPOINT: `http://127.0.0.1:${port}`, ...keys }, 100);
};
const copy = (bytes: number) => open().copy({ bucket: 'files', from: { key: 'from', bytes }, to: 'to', headers: {} });

describe('a store that processes data before it responds', () => {
  it('is given enough time for the amount of data', async () => {
    await copy(10 * MIB);
  });

  it('counts as unavailable if it takes longer than the amount of data allows', async () => {
    await expect(copy(1)).rejects.toThrow('The object store did not respond in time');
  });
});
