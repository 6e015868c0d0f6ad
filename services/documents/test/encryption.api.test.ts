import { STORE_PART_BYTES } from '@atrium/object-store/s3/config';
import { testBucket } from '@atrium/test-kit/backing-servers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDocument, type Started, startDocuments } from './factories.ts';

let started: Started;
beforeAll(async () => {
  const { bucket } = await testBucket();
  started = await startDocuments({
    S3_BUCKET: `${bucket.slice(0, 58)}-enc`,
    S3_ENCRYPTION: 'AES256',
  });
});
afterAll(() => started.service.close());

const readEncryption = async (name: string) => {
  const { objects, service } = started;
  const { metaData } = await objects.statObject(service.env.S3_BUCKET ?? '', name);
  return (metaData as Record<string, string>)['x-amz-server-side-encryption'];
};

it('uploads request encryption of every object if configured, with or without parts, and return files unchanged', async () => {
  const { service, people, objects } = started;
  const as = people.uploader;
  const large = new Uint8Array(2 * STORE_PART_BYTES - 1).fill(7);
  await createDocument(service, { as, content: 'small' });
  const { downloadUrl = '' } = await createDocument(service, { as, content: large });
  const names: string[] = [];
  for await (const { name } of objects.listObjectsV2(service.env.S3_BUCKET ?? '', 'documents/', true))
    if (name) names.push(name);
  expect(await Promise.all(names.map(readEncryption))).toEqual(['AES256', 'AES256']);
  const downloaded = await (await fetch(downloadUrl)).arrayBuffer();
  expect(Buffer.from(downloaded).equals(Buffer.from(large))).toBe(true);
});

it('an object store without lifecycle rules for multipart uploads, such as MinIO, keeps the rules of others', async () => {
  const { bucket, objects } = started;
  const otherRule = { ID: 'otherRule', Status: 'Enabled', Filter: { Prefix: 'others/' }, Expiration: { Days: 3 } };
  await objects.setBucketLifecycle(bucket.bucket, { Rule: [otherRule] });
  const other = await startDocuments({ S3_BUCKET: bucket.bucket, S3_ABORT_UPLOADS_AFTER_DAYS: '3' });
  try {
    const { downloadUrl = '' } = await createDocument(other.service, { as: other.people.uploader, content: 'kept' });
    expect(await (await fetch(downloadUrl)).text()).toBe('kept');
    expect(await objects.getBucketLifecycle(bucket.bucket)).toEqual({ Rule: otherRule });
  } finally {
    await other.service.close();
  }
});
