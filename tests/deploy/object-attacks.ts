import { Readable } from 'node:stream';
import { objectClient } from '@atrium/dev-server/backing/servers/objects';
import { s3Env } from '@atrium/object-store/s3/config';
import { createObjectStore } from '@atrium/object-store/s3/object-store';
import { createS3Client } from '@atrium/object-store/s3/s3-client';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { expect } from '@jest/globals';
import { type Client, CopyDestinationOptions, CopySourceOptions } from 'minio';
import { z } from 'zod';

export type ObjectKeys = { url: string; accessKey: string; secretKey: string };

const BUCKET = 'atrium';
const REGION = 'us-east-1';
const CONTENT = 'content of a service';
const RULE = { Rule: [{ ID: 'all', Status: 'Enabled', Filter: { Prefix: '' }, Expiration: { Days: 1 } }] };
const READ_BY_ALL = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { AWS: ['*'] }, Action: ['s3:GetObject'], Resource: [`arn:aws:s3:::${BUCKET}/*`] },
  ],
});

/** Returns a service's objects and an incomplete upload. The first call creates both. */
export async function snapshot(root: ObjectKeys, service: string) {
  const client = objectClient(root);
  const file = `${service}/file`;
  const unfinished = `${service}/unfinished`;
  if ((await client.listObjectsV2(BUCKET, file).toArray()).length === 0) await client.putObject(BUCKET, file, CONTENT);
  const uploads = await client.listIncompleteUploads(BUCKET, unfinished, true).toArray();
  const uploadId: string = uploads[0]?.uploadId ?? (await client.initiateNewMultipartUpload(BUCKET, unfinished, {}));
  const objects = await client.listObjectsV2(BUCKET, `${service}/`, true).toArray();
  return { uploadId, objects: objects.map(({ name, etag, size }) => ({ name, etag, size })) };
}

/** Performs every operation of a service on its files; rejects at the first denied call. */
export async function useAsService({ url, accessKey, secretKey }: ObjectKeys, prefix: string): Promise<void> {
  const config = s3Env.parse({
    S3_ENDPOINT: url,
    S3_PUBLIC_URL: url,
    S3_ACCESS_KEY: accessKey,
    S3_SECRET_KEY: secretKey,
    S3_BUCKET: BUCKET,
  });
  const store = createObjectStore({ config, prefix, log: createLogger('test', 'silent') });
  try {
    const key = `${prefix}one`;
    const copy = `${prefix}two`;
    const large = `${prefix}three`;
    await store.put(key, Readable.from([Buffer.from('content')]));
    expect(await store.has(key)).toBe(true);
    expect(await store.has(`${prefix}missing`)).toBe(false);
    expect(Buffer.concat(await (await store.read(key)).toArray()).toString()).toBe('content');
    expect(await store.copy({ key, bytes: 7 }, copy)).toBe(true);
    expect(await store.copy({ key: `${prefix}missing`, bytes: 7 }, copy)).toBe(false);
    const upload = { key: large, storeUploadId: await store.parts.begin(large) };
    const body = Readable.from([Buffer.from('part')]);
    await store.parts.put(upload, { number: 1, size: 4, body, signal: AbortSignal.timeout(10_000) });
    await store.parts.complete(upload, (await store.parts.list(upload)) ?? []);
    await store.parts.begin(`${prefix}never completed`);
    await store.abortStaleUploads(new Date(Date.now() + 60_000), new Set());
    const keys = [];
    for await (const listed of store.list()) keys.push(listed.key);
    expect(keys).toEqual(expect.arrayContaining([key, copy, large]));
    const link = store.link({ objectKey: key, disposition: 'inline', contentType: 'text/plain' });
    expect(await (await fetch(link ?? '')).text()).toBe('content');
    for (const created of [key, copy, large]) await store.remove(created);
    expect(await store.has(key)).toBe(false);
    // The readiness check of a service: the bucket exists, and this user can read it.
    expect(store.available()).toBe(true);
  } finally {
    store.close();
  }
}

/** Tries every forbidden operation on the objects of another service. Returns the operations that succeeded. */
export async function attack(keys: ObjectKeys, prefix: string, uploadId: string): Promise<string[]> {
  const ownKey = prefix === 'chat/' ? 'documents/attacker' : 'chat/attacker';
  await objectClient(keys).putObject(BUCKET, ownKey, 'forged');
  const attempts = { ...createFileAttacks(keys, { prefix, ownKey, uploadId }), ...createStoreAttacks(keys) };
  const succeeded: string[] = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    const error = await attempt().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) succeeded.push(name);
    else expect([name, codeOf(error)]).toEqual([name, 'AccessDenied']);
  }
  return succeeded;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

type Attempts = Record<string, () => Promise<unknown>>;

type Target = { prefix: string; ownKey: string; uploadId: string };

function createFileAttacks(keys: ObjectKeys, { prefix, ownKey, uploadId }: Target): Attempts {
  const client = objectClient(keys);
  const parts = createS3Client(
    { S3_ENDPOINT: keys.url, S3_ACCESS_KEY: keys.accessKey, S3_SECRET_KEY: keys.secretKey, S3_REGION: REGION },
    10_000,
  );
  const file = `${prefix}file`;
  const unfinished = `${prefix}unfinished`;
  const copy = (from: string, to: string) =>
    client.copyObject(
      new CopySourceOptions({ Bucket: BUCKET, Object: from }),
      new CopyDestinationOptions({ Bucket: BUCKET, Object: to }),
    );
  return {
    read: async () => (await client.getObject(BUCKET, file)).destroy(),
    'read its properties': () => client.statObject(BUCKET, file),
    'copy from': () => copy(file, ownKey),
    list: () => client.listObjectsV2(BUCKET, prefix, true).toArray(),
    'list with the first API version': () => client.listObjects(BUCKET, prefix, true).toArray(),
    'list everything': () => client.listObjectsV2(BUCKET, '', true).toArray(),
    'list versions': () => client.listObjects(BUCKET, prefix, true, { IncludeVersion: true }).toArray(),
    overwrite: () => client.putObject(BUCKET, file, 'forged'),
    'write something new': () => client.putObject(BUCKET, `${prefix}forged`, 'forged'),
    'copy over': () => copy(ownKey, file),
    'set tags': () => client.setObjectTagging(BUCKET, file, { forged: 'yes' }),
    remove: () => client.removeObject(BUCKET, file),
    'remove many': () => removeMany(client, file),
    'begin an upload': () => client.initiateNewMultipartUpload(BUCKET, `${prefix}forged-upload`, {}),
    'list the parts of an upload': () => parts.listUploadParts(BUCKET, unfinished, uploadId),
    'remove an upload': () => client.abortMultipartUpload(BUCKET, unfinished, uploadId),
  };
}

/** A bulk call responds with 200 and lists denied objects in the body. */
async function removeMany(client: Client, file: string): Promise<void> {
  const [denied] = z.array(z.object({ Code: z.string() })).parse(await client.removeObjects(BUCKET, [file]));
  if (denied) throw Object.assign(new Error('Object not removed'), { code: denied.Code });
}

function createStoreAttacks(keys: ObjectKeys): Attempts {
  const client = objectClient(keys);
  const admin = async (method: string, call: string, query = '') => {
    const request = { method, bucketName: 'minio', objectName: `admin/v3/${call}`, query };
    const response = await client.makeRequestAsync(request, method === 'PUT' ? READ_BY_ALL : '', [200, 403], REGION);
    response.resume();
    // The client parses only XML errors, and these are JSON.
    if (response.statusCode === 403) throw Object.assign(new Error('denied'), { code: 'AccessDenied' });
  };
  return {
    'create a bucket': () => client.makeBucket('another'),
    'remove the bucket': () => client.removeBucket(BUCKET),
    'read the policy of the bucket': () => client.getBucketPolicy(BUCKET),
    'set the policy of the bucket': () => client.setBucketPolicy(BUCKET, READ_BY_ALL),
    'set a rule of the bucket': () => client.setBucketLifecycle(BUCKET, RULE),
    'set versions of the bucket': () => client.setBucketVersioning(BUCKET, { Status: 'Suspended' }),
    'change its own policy': () => admin('PUT', 'add-canned-policy', 'name=chat'),
    'attach a policy to a user': () =>
      admin('PUT', 'set-user-or-group-policy', `policyName=consoleAdmin&userOrGroup=${keys.accessKey}&isGroup=false`),
    'list users': () => admin('GET', 'list-users'),
    'create a user': () => admin('PUT', 'add-user', 'accessKey=forged'),
    'read the configuration of users and the store': () => admin('GET', 'get-config-kv', 'key=identity_openid'),
  };
}
