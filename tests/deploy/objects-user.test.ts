import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from '@atrium/local/backing/server';
import { objectClient } from '@atrium/local/backing/servers/objects';
import { type Backing, startBacking } from '@atrium/local/backing/start-backing';
import { CHECKOUT, passingToolbox } from '@atrium/local/backing/toolbox';
import { execute } from '@atrium/local/supervise/execute';
import { findMinioClient } from '@atrium/local/test/minio-client';
import { secretsOf } from '@atrium/tools/secrets/layout';
import { rotate, type Step } from '@atrium/tools/secrets/rotate';
import { clusterValues, type Values } from '@atrium/tools/secrets/values';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const FOLDER = join(CHECKOUT, 'deploy/backing/objects');
const { S3_ENDPOINT: _, ...env } = process.env;
const toolbox = { ...passingToolbox({ line: () => undefined, say: () => undefined }), env };
const BIN = join(toolbox.home, 'bin');
let backing: Backing;
let client: Program;
let values: Values = Object.fromEntries(Object.entries(clusterValues).map(([name, make]) => [name, make()]));

beforeAll(async () => {
  backing = await startBacking(toolbox, ['objects']);
  client = await findMinioClient({ ...toolbox, address: () => Promise.reject(new Error('it asks for none')) });
  mkdirSync(BIN);
  if (!client.image) symlinkSync(client.file, join(BIN, 'mc'));
});
afterAll(async () => {
  await backing.stop();
  await toolbox.guard.close();
});

/** Runs what the Job runs, with the Secret that the values make. */
async function makeUser(): Promise<void> {
  const { url, accessKey = '', secretKey = '' } = backing.addresses.objects ?? { url: '' };
  const told = {
    ...secretsOf(values)['atrium-objects'],
    MINIO_ROOT_USER: accessKey,
    MINIO_ROOT_PASSWORD: secretKey,
    STORE: new URL(url).host,
    MC_CONFIG_DIR: join(toolbox.home, 'mc'),
  };
  if (client.image) {
    const variables = Object.entries(told).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const run = ['run', '--rm', '--network', 'host', '--volume', `${FOLDER}:/etc/objects:ro`, '--entrypoint', 'sh'];
    await execute(client.file, [...run, ...variables, client.image, '/etc/objects/make-user.sh']);
    return;
  }
  await execute('sh', [join(FOLDER, 'make-user.sh')], { env: { ...told, PATH: `${BIN}:${process.env.PATH}` } });
}

const change = (step: Step) => {
  const changes = rotate(values, 'S3_ACCESS_KEY', step);
  values = Object.fromEntries(
    Object.entries({ ...values, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
};

/** Whether a key opens the bucket, and nothing else. */
async function opens(accessKey = '', secretKey = ''): Promise<boolean> {
  const store = objectClient({ url: backing.addresses.objects?.url ?? '', accessKey, secretKey });
  const isOpen = await store
    .listObjectsV2('atrium')
    .toArray()
    .then(
      () => true,
      () => false,
    );
  await expect(store.makeBucket('another')).rejects.toThrow(isOpen ? /Access Denied/ : /Access Key Id/);
  return isOpen;
}

it('gives documents its own bucket by the keys that the Secret names, and a closed key never comes back', async () => {
  const { S3_ACCESS_KEY: old, S3_SECRET_KEY: oldSecret } = values;
  await makeUser();
  expect(await opens(old, oldSecret)).toBe(true);
  change('begin');
  await makeUser();
  const { S3_ACCESS_KEY_NEXT: next, S3_SECRET_KEY_NEXT: nextSecret } = values;
  expect([await opens(old, oldSecret), await opens(next, nextSecret)]).toEqual([true, true]);
  change('use');
  await makeUser();
  expect([await opens(old, oldSecret), await opens(next, nextSecret)]).toEqual([true, true]);
  change('end');
  for (const _run of ['the Job', 'the Job of a later release']) {
    await makeUser();
    expect([await opens(old, oldSecret), await opens(next, nextSecret)]).toEqual([false, true]);
  }
});

it('closes a key that has become known with the same run that makes the next one', async () => {
  const { S3_ACCESS_KEY: known, S3_SECRET_KEY: knownSecret } = values;
  change('at-once');
  await makeUser();
  expect(await opens(known, knownSecret)).toBe(false);
  expect(await opens(values.S3_ACCESS_KEY, values.S3_SECRET_KEY)).toBe(true);
});
