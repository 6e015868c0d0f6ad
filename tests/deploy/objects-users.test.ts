import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT, ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import type { Program } from '@atrium/dev-server/backing/server';
import { objectClient } from '@atrium/dev-server/backing/servers/objects';
import { type ObjectService, objectServiceKeys } from '@atrium/dev-server/backing/servers/objects-users';
import { type Backing, startBacking } from '@atrium/dev-server/backing/start-backing';
import { execute } from '@atrium/dev-server/process-manager/execute';
import { findMinioClient } from '@atrium/dev-server/test-runner/minio-client';
import { secretsOf } from '@atrium/tools/secrets/layout';
import { rotate, type Step } from '@atrium/tools/secrets/rotate';
import { secretValues, type Values } from '@atrium/tools/secrets/values';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { attack, type ObjectKeys, snapshot, useAsService } from './object-attacks.ts';

const FOLDER = join(CHECKOUT, 'deploy/backing/objects');
const { S3_ENDPOINT: _, ...env } = process.env;
const toolbox = { ...ephemeralContext({ line: () => undefined, say: () => undefined }), env };
const BIN = join(toolbox.home, 'bin');
let backing: Backing;
let client: Program;
let root: ObjectKeys;
let values: Values = Object.fromEntries(Object.entries(secretValues).map(([name, make]) => [name, make()]));

beforeAll(async () => {
  backing = await startBacking(toolbox, ['objects']);
  const { url = '', accessKey = '', secretKey = '' } = backing.addresses.objects ?? {};
  root = { url, accessKey, secretKey };
  client = await findMinioClient({ ...toolbox, address: () => Promise.reject(new Error('it asks for none')) });
  mkdirSync(BIN);
  if (!client.image) symlinkSync(client.file, join(BIN, 'mc'));
});
afterAll(async () => {
  await backing.stop();
  await toolbox.guard.close();
});

/** Runs what the Job runs, with the Secret that the values make. */
async function makeUsers(): Promise<void> {
  const told = {
    ...secretsOf(values)['atrium-objects'],
    MINIO_ROOT_USER: root.accessKey,
    MINIO_ROOT_PASSWORD: root.secretKey,
    STORE: new URL(root.url).host,
    MC_CONFIG_DIR: join(toolbox.home, 'mc'),
  };
  if (client.image) {
    const variables = Object.entries(told).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const run = ['run', '--rm', '--network', 'host', '--volume', `${FOLDER}:/etc/objects:ro`, '--entrypoint', 'sh'];
    await execute(client.file, [...run, ...variables, client.image, '/etc/objects/make-users.sh']);
    return;
  }
  await execute('sh', [join(FOLDER, 'make-users.sh')], { env: { ...told, PATH: `${BIN}:${process.env.PATH}` } });
}

const deployedKeys = (user: string): ObjectKeys => ({
  url: root.url,
  accessKey: values[`S3_${user.toUpperCase()}_ACCESS_KEY`] ?? '',
  secretKey: values[`S3_${user.toUpperCase()}_SECRET_KEY`] ?? '',
});
const localKeys = (user: ObjectService): ObjectKeys => ({ url: root.url, ...objectServiceKeys(toolbox.secrets, user) });
const other = (user: ObjectService): ObjectService => (user === 'chat' ? 'documents' : 'chat');

describe.each([
  ['a deployment', deployedKeys],
  ['a local start', localKeys],
])('the users of the object store of %s', (_where, keysOf) => {
  beforeAll(makeUsers);

  it.each(['documents', 'chat'] as const)('let %s do all that it does with its own files', async (user) => {
    await useAsService(keysOf(user), `${user}/`);
  });

  it.each(['documents', 'chat'] as const)('let %s neither list, write, nor remove files of the other', async (user) => {
    const before = await snapshot(root, other(user));
    const succeeded = await attack(keysOf(user), `${other(user)}/`, before.uploadId);
    // Documents copies a file of a message when somebody saves it.
    expect(succeeded).toEqual(user === 'documents' ? ['read', 'read its properties', 'copy from'] : []);
    expect(await snapshot(root, other(user))).toEqual(before);
  });
});

it('lets a backup read, create, and overwrite every file, and remove none', async () => {
  await makeUsers();
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

it('does not keep names of files from another service that uses MinIO’s fault: it takes a header for the prefix', async () => {
  const chat = objectClient(deployedKeys('chat'));
  const listed = await chat.makeRequestAsync(
    { method: 'GET', bucketName: 'atrium', query: 'list-type=2&prefix=documents%2F', headers: { Prefix: 'chat/' } },
    '',
    [200, 403],
    'us-east-1',
  );
  listed.resume();
  expect(listed.statusCode).toBe(200);
});

const change = (step: Step) => {
  const changes = rotate(values, 'S3_DOCUMENTS_ACCESS_KEY', step);
  values = Object.fromEntries(
    Object.entries({ ...values, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
};

/** Whether a key is that of documents. */
const opens = (accessKey = '', secretKey = ''): Promise<boolean> =>
  objectClient({ url: root.url, accessKey, secretKey })
    .listObjectsV2('atrium', 'documents/')
    .toArray()
    .then(
      () => true,
      () => false,
    );

describe('a rotation of a key', () => {
  it('keeps both valid until its end, and a closed key never comes back', async () => {
    const { S3_DOCUMENTS_ACCESS_KEY: old, S3_DOCUMENTS_SECRET_KEY: oldSecret } = values;
    await makeUsers();
    expect(await opens(old, oldSecret)).toBe(true);
    change('begin');
    await makeUsers();
    const { S3_DOCUMENTS_ACCESS_KEY_NEXT: next, S3_DOCUMENTS_SECRET_KEY_NEXT: nextSecret } = values;
    expect([await opens(old, oldSecret), await opens(next, nextSecret)]).toEqual([true, true]);
    change('use');
    await makeUsers();
    expect([await opens(old, oldSecret), await opens(next, nextSecret)]).toEqual([true, true]);
    change('end');
    for (const _run of ['the Job', 'the Job of a later release']) {
      await makeUsers();
      expect([await opens(old, oldSecret), await opens(next, nextSecret)]).toEqual([false, true]);
    }
  });

  it('closes a key that has become known with the same run that creates the next one', async () => {
    const { S3_DOCUMENTS_ACCESS_KEY: known, S3_DOCUMENTS_SECRET_KEY: knownSecret } = values;
    change('at-once');
    await makeUsers();
    expect(await opens(known, knownSecret)).toBe(false);
    expect(await opens(values.S3_DOCUMENTS_ACCESS_KEY, values.S3_DOCUMENTS_SECRET_KEY)).toBe(true);
  });
});
