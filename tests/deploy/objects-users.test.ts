import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT, ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import type { Program } from '@atrium/dev-server/backing/server';
import { objectClient } from '@atrium/dev-server/backing/servers/objects';
import { type ObjectService, objectServiceKeys } from '@atrium/dev-server/backing/servers/objects-users';
import { type Backing, startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import { execute } from '@atrium/dev-server/process-manager/execute';
import { findMinioClient } from '@atrium/dev-server/test-runner/external-tools';
import { buildSecrets } from '@atrium/tools/secrets/layout';
import { rotate, type Step } from '@atrium/tools/secrets/rotate';
import { secretValues, type Values } from '@atrium/tools/secrets/values';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { attack, type ObjectKeys, snapshot, useAsService } from './object-attacks.ts';

const FOLDER = join(CHECKOUT, 'deploy/backing/objects');
const { S3_ENDPOINT: _, ...env } = process.env;
const context = { ...ephemeralContext({ line: () => undefined, log: () => undefined }), env };
const BIN = join(context.home, 'bin');
let backing: Backing;
let client: Program;
let root: ObjectKeys;
let values: Values = Object.fromEntries(Object.entries(secretValues).map(([name, make]) => [name, make()]));

beforeAll(async () => {
  backing = await startBacking(context, ['objects']);
  const { url = '', accessKey = '', secretKey = '' } = backing.addresses.objects ?? {};
  root = { url, accessKey, secretKey };
  client = await findMinioClient({
    ...context,
    address: () => Promise.reject(new Error('The client needs no other server')),
  });
  mkdirSync(BIN);
  if (!client.image) symlinkSync(client.file, join(BIN, 'mc'));
});
afterAll(async () => {
  await backing.stop();
  await context.reaper.close();
});

/** Runs the script of the Job with the generated Secret. */
async function createUsers(): Promise<void> {
  const secretEnv = {
    ...buildSecrets(values)['atrium-objects'],
    MINIO_ROOT_USER: root.accessKey,
    MINIO_ROOT_PASSWORD: root.secretKey,
    STORE: new URL(root.url).host,
    MC_CONFIG_DIR: join(context.home, 'mc'),
  };
  if (client.image) {
    const variables = Object.entries(secretEnv).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const run = ['run', '--rm', '--network', 'host', '--volume', `${FOLDER}:/etc/objects:ro`, '--entrypoint', 'sh'];
    await execute(client.file, [...run, ...variables, client.image, '/etc/objects/make-users.sh']);
    return;
  }
  await execute('sh', [join(FOLDER, 'make-users.sh')], { env: { ...secretEnv, PATH: `${BIN}:${process.env.PATH}` } });
}

const deployedKeys = (user: string): ObjectKeys => ({
  url: root.url,
  accessKey: values[`S3_${user.toUpperCase()}_ACCESS_KEY`] ?? '',
  secretKey: values[`S3_${user.toUpperCase()}_SECRET_KEY`] ?? '',
});
const localKeys = (user: ObjectService): ObjectKeys => ({ url: root.url, ...objectServiceKeys(context.secrets, user) });
const otherService = (user: ObjectService): ObjectService => (user === 'chat' ? 'documents' : 'chat');

describe.each([
  ['a deployment', deployedKeys],
  ['a local start', localKeys],
])('object store users of %s', (_label, keysOf) => {
  beforeAll(createUsers);

  it.each(['documents', 'chat'] as const)('allow %s all operations on its own files', async (user) => {
    await useAsService(keysOf(user), `${user}/`);
  });

  it.each(['documents', 'chat'] as const)(
    'deny %s listing, writing, and removing files of another service',
    async (user) => {
      const before = await snapshot(root, otherService(user));
      const succeeded = await attack(keysOf(user), `${otherService(user)}/`, before.uploadId);
      // Documents copies files of messages when a user saves them.
      expect(succeeded).toEqual(user === 'documents' ? ['read', 'read its properties', 'copy from'] : []);
      expect(await snapshot(root, otherService(user))).toEqual(before);
    },
  );
});

it('the object store user of backups can read, create, and overwrite all files, but not remove any', async () => {
  await createUsers();
  const before = await snapshot(root, 'chat');
  expect(await objectClient(deployedKeys('backup')).bucketExists('atrium')).toBe(true);
  const succeeded = await attack(deployedKeys('backup'), 'chat/', before.uploadId);
  expect(succeeded).toEqual(
    expect.arrayContaining(['read', 'list', 'write something new', 'begin an upload', 'list the parts of an upload']),
  );
  const forbidden = /^remove(?! an upload)|policy|rule|bucket|user/;
  expect(succeeded.filter((name) => forbidden.test(name))).toEqual([]);
  const after = await snapshot(root, 'chat');
  expect(after.objects.map(({ name }) => name)).toEqual(expect.arrayContaining(before.objects.map(({ name }) => name)));
});

it('MinIO exposes file names to other services because of a bug that reads the prefix from a header', async () => {
  const chat = objectClient(deployedKeys('chat'));
  const response = await chat.makeRequestAsync(
    { method: 'GET', bucketName: 'atrium', query: 'list-type=2&prefix=documents%2F', headers: { Prefix: 'chat/' } },
    '',
    [200, 403],
    'us-east-1',
  );
  response.resume();
  expect(response.statusCode).toBe(200);
});

const applyStep = (step: Step) => {
  const changes = rotate(values, 'S3_DOCUMENTS_ACCESS_KEY', step);
  values = Object.fromEntries(
    Object.entries({ ...values, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
};

/** Returns whether a key is valid for documents. */
const isKeyValid = (accessKey = '', secretKey = ''): Promise<boolean> =>
  objectClient({ url: root.url, accessKey, secretKey })
    .listObjectsV2('atrium', 'documents/')
    .toArray()
    .then(
      () => true,
      () => false,
    );

describe('rotation of an object store key', () => {
  it('keeps both keys valid until it ends, and the previous key stays invalid after later runs of the Job', async () => {
    const { S3_DOCUMENTS_ACCESS_KEY: old, S3_DOCUMENTS_SECRET_KEY: oldSecret } = values;
    await createUsers();
    expect(await isKeyValid(old, oldSecret)).toBe(true);
    applyStep('begin');
    await createUsers();
    const { S3_DOCUMENTS_ACCESS_KEY_NEXT: next, S3_DOCUMENTS_SECRET_KEY_NEXT: nextSecret } = values;
    expect([await isKeyValid(old, oldSecret), await isKeyValid(next, nextSecret)]).toEqual([true, true]);
    applyStep('use');
    await createUsers();
    expect([await isKeyValid(old, oldSecret), await isKeyValid(next, nextSecret)]).toEqual([true, true]);
    applyStep('end');
    for (const _run of ['the Job', 'the Job of a later release']) {
      await createUsers();
      expect([await isKeyValid(old, oldSecret), await isKeyValid(next, nextSecret)]).toEqual([false, true]);
    }
  });

  it('revokes a leaked key in the same run that creates the next one', async () => {
    const { S3_DOCUMENTS_ACCESS_KEY: leakedKey, S3_DOCUMENTS_SECRET_KEY: leakedSecret } = values;
    applyStep('at-once');
    await createUsers();
    expect(await isKeyValid(leakedKey, leakedSecret)).toBe(false);
    expect(await isKeyValid(values.S3_DOCUMENTS_ACCESS_KEY, values.S3_DOCUMENTS_SECRET_KEY)).toBe(true);
  });
});
