import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { changeEnvText, completeEnvText, readEnvText } from './env-file.ts';
import { buildSecrets, type Secrets } from './layout.ts';
import { readSecretsOptions } from './options.ts';
import { rotate, rotateSecrets, type Step } from './rotate.ts';
import { secretValues, type Values } from './values.ts';
import { writeManifests } from './write-secrets.ts';

const generateAll = (overrides: Values = {}): Values => ({
  ...completeEnvText('', secretValues).values,
  ...overrides,
});

const applyStep = (values: Values, name: string, step: Step): Values => {
  const text = Object.entries(values).map(([key, value]) => `${key}=${value}`);
  return readEnvText(changeEnvText(text.join('\n'), rotate(values, name, step)));
};

const rotateFully = (name: string, values: Values = generateAll()) => {
  const afterBegin = applyStep(values, name, 'begin');
  const used = applyStep(afterBegin, name, 'use');
  const ended = applyStep(used, name, 'end');
  return [values, afterBegin, used, ended].map((stage) => ({ values: stage, secrets: buildSecrets(stage) }));
};

const listChanged = (before: Secrets = {}, after: Secrets = {}): string[] =>
  Object.keys(before).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
const listChangesPerStep = (all: readonly { secrets: Secrets }[]): string[][] =>
  all.slice(1).map(({ secrets }, index) => listChanged(all[index]?.secrets, secrets));

describe('rotation of a secret shared by two processes', () => {
  it('gives every process both values while data encrypted with either may exist', () => {
    const all = rotateFully('KEY_ENCRYPTION_SECRET');
    const [current = '', next = ''] = [0, 3].map((stage) => all[stage]?.values.KEY_ENCRYPTION_SECRET);
    expect(current).not.toBe(next);
    const knownSecrets = all.map(({ secrets }) => [
      secrets['atrium-auth']?.KEY_ENCRYPTION_SECRET,
      secrets['atrium-auth']?.KEY_ENCRYPTION_SECRET_PREVIOUS,
    ]);
    expect(knownSecrets).toEqual([
      [current, undefined],
      [current, next],
      [next, current],
      [next, undefined],
    ]);
    expect(listChangesPerStep(all)).toEqual([['atrium-auth'], ['atrium-auth'], ['atrium-auth']]);
  });

  it('gives both link sealing keys only to notifications, because auth only encrypts', () => {
    const all = rotateFully('LINK_SEALING_KEY');
    const bothSecrets = ['atrium-auth', 'atrium-notifications'];
    expect(listChangesPerStep(all)).toEqual([['atrium-notifications'], bothSecrets, ['atrium-notifications']]);
    expect(all[1]?.secrets['atrium-notifications']?.LINK_SEALING_KEY_PREVIOUS).toBe(all[3]?.values.LINK_SEALING_KEY);
    for (const { secrets } of all)
      expect(secrets['atrium-auth']?.LINK_SEALING_KEY).toBe(secrets['atrium-notifications']?.LINK_SEALING_KEY);
  });
});

describe('rotation of a store password', () => {
  it('moves a NATS client to a second user, and back to the first at the end', () => {
    const all = rotateFully('NATS_CHAT_PASSWORD');
    const [current, next] = [0, 3].map((stage) => all[stage]?.values.NATS_CHAT_PASSWORD);
    const users = all.map(({ secrets }) => ({
      server: [secrets['atrium-nats']?.NATS_CHAT_PASSWORD, secrets['atrium-nats']?.NATS_CHAT_2_PASSWORD],
      chat: [secrets['atrium-chat']?.NATS_USER, secrets['atrium-chat']?.NATS_PASSWORD],
    }));
    expect(users).toEqual([
      { server: [current, current], chat: ['chat', current] },
      { server: [current, next], chat: ['chat', current] },
      { server: [current, next], chat: ['chat_2', next] },
      { server: [next, next], chat: ['chat', next] },
    ]);
  });

  it('moves PostgreSQL clients, including backups, to a second role in between', () => {
    const all = rotateFully('POSTGRES_CHAT_PASSWORD');
    const [current, next] = [0, 3].map((stage) => all[stage]?.values.POSTGRES_CHAT_PASSWORD);
    const url = (role: string, password: string | undefined) =>
      `postgres://${role}:${password}@postgres:5432/atrium_chat`;
    const urls = all.map(({ secrets }) => secrets['atrium-chat']?.DATABASE_URL);
    expect(urls).toEqual([
      url('atrium_chat', current),
      url('atrium_chat', current),
      url('atrium_chat_2', next),
      url('atrium_chat', next),
    ]);
    expect(all.map(({ secrets }) => secrets['atrium-backup']?.CHAT_DATABASE_URL)).toEqual(urls);
    // databases.sh sets the password of the first role, which running pods may still use.
    expect(all.map(({ secrets }) => secrets['atrium-postgres']?.CHAT_PASSWORD)).toEqual([
      current,
      current,
      current,
      next,
    ]);
    expect(listChangesPerStep(all)[0]).toEqual([]);
  });

  it('changes a password in every address that contains it, including direct ones', () => {
    const at = (password: string, host: string) =>
      `postgres://atrium_chat:${password}@${host}/atrium_chat?sslmode=require`;
    const addresses = {
      CHAT_DATABASE_URL: at('a%40b', 'pooler:6432'),
      CHAT_DATABASE_DIRECT_URL: at('a%40b', 'db:5432'),
    };
    const all = rotateFully(
      'CHAT_DATABASE_URL',
      generateAll({ ...addresses, USERS_DATABASE_URL: at('another', 'pooler:6432') }),
    );
    const password = new URL(all[3]?.values.CHAT_DATABASE_URL ?? '').password;
    const withSecondRole = (url: string) => url.replace('atrium_chat:', 'atrium_chat_2:');
    expect(all.map(({ secrets }) => secrets['atrium-chat']?.DATABASE_DIRECT_URL)).toEqual([
      addresses.CHAT_DATABASE_DIRECT_URL,
      addresses.CHAT_DATABASE_DIRECT_URL,
      withSecondRole(at(password, 'db:5432')),
      at(password, 'db:5432'),
    ]);
    expect(all[2]?.secrets['atrium-chat']?.DATABASE_URL).toBe(withSecondRole(at(password, 'pooler:6432')));
    expect(new Set(all.map(({ values }) => values.USERS_DATABASE_URL)).size).toBe(1);
  });

  it('returns from the second role to the first, even after an operator removed its login', () => {
    const url = 'postgres://atrium_chat_2:own@postgres:5432/atrium_chat';
    const [, , used, ended] = rotateFully('CHAT_DATABASE_URL', generateAll({ CHAT_DATABASE_URL: url }));
    expect(used?.secrets['atrium-chat']?.DATABASE_URL).toMatch(/^postgres:\/\/atrium_chat:/);
    expect(ended?.secrets['atrium-chat']?.DATABASE_URL).toMatch(/^postgres:\/\/atrium_chat_2:/);
  });

  it('changes the PostgreSQL server password behind a connection pooler', () => {
    const values = generateAll();
    const url = `postgres://atrium_chat:${values.POSTGRES_CHAT_PASSWORD}@pgbouncer:6432/atrium_chat`;
    const ended = rotateFully('CHAT_DATABASE_URL', { ...values, CHAT_DATABASE_URL: url })[3];
    expect(new URL(ended?.values.CHAT_DATABASE_URL ?? '').password).toBe(ended?.values.POSTGRES_CHAT_PASSWORD);
    expect(ended?.values.POSTGRES_CHAT_PASSWORD).not.toBe(values.POSTGRES_CHAT_PASSWORD);
  });

  it('moves MongoDB clients to a second user, with one or several hosts', () => {
    const url = 'mongodb://atrium:own@a.example:27017,b.example:27017/atrium?replicaSet=r';
    const [, , used, ended] = rotateFully('MONGO_URL', generateAll({ MONGO_URL: url }));
    expect(used?.secrets['atrium-notifications']?.MONGO_URL).toMatch(/^mongodb:\/\/atrium_2:\w{40}@a\.example:27017,b/);
    expect(ended?.secrets['atrium-backup']?.MONGO_URL).toMatch(/^mongodb:\/\/atrium:\w{40}@a\.example:27017,b/);
    const ownServer = rotateFully('MONGO_NOTIFICATIONS_PASSWORD');
    expect(ownServer[2]?.secrets['atrium-mongo']).toEqual(ownServer[0]?.secrets['atrium-mongo']);
    expect(ownServer[2]?.secrets['atrium-notifications']?.MONGO_URL).toMatch(/^mongodb:\/\/notifications_2:/);
    expect(listChangesPerStep(ownServer)[2]).toEqual(['atrium-notifications', 'atrium-mongo', 'atrium-backup']);
  });

  it('gives the Redis user two passwords', () => {
    const all = rotateFully('REDIS_PASSWORD');
    expect(listChangesPerStep(all)).toEqual([[], ['atrium-chat', 'atrium-gateway', 'atrium-redis'], []]);
    const { REDIS_PASSWORD } = all[2]?.values ?? {};
    expect(all[2]?.secrets['atrium-chat']?.REDIS_URL).toBe(`redis://:${REDIS_PASSWORD}@redis:6379`);
    expect(all[2]?.secrets['atrium-redis']).toEqual({ REDIS_PASSWORD });
  });

  it('adds a second object store key while the first one is still valid', () => {
    const all = rotateFully('S3_CHAT_SECRET_KEY');
    const ids = (stage: number) => {
      const { S3_CHAT_ACCESS_KEY: first, S3_CHAT_ACCESS_KEY_PREVIOUS: second } =
        all[stage]?.secrets['atrium-objects'] ?? {};
      return [first, second];
    };
    const [current, next] = [0, 3].map((stage) => all[stage]?.values.S3_CHAT_ACCESS_KEY);
    expect([0, 1, 2, 3].map(ids)).toEqual([
      [current, undefined],
      [current, next],
      [next, current],
      [next, undefined],
    ]);
    expect(all.map(({ secrets }) => secrets['atrium-chat']?.S3_ACCESS_KEY)).toEqual([current, current, next, next]);
    expect(all[2]?.secrets['atrium-chat']).not.toHaveProperty('S3_ACCESS_KEY_PREVIOUS');
    expect(all[3]?.secrets['atrium-objects']?.S3_CHAT_ACCESS_KEY_CLOSED).toBe(current);
    expect(listChangesPerStep(all)).toEqual([
      ['atrium-objects'],
      ['atrium-chat', 'atrium-objects'],
      ['atrium-objects'],
    ]);
  });

  it('records every object store key that is no longer valid', () => {
    const ended = rotateFully('S3_BACKUP_ACCESS_KEY')[3]?.values ?? {};
    const afterBegin = applyStep(ended, 'S3_BACKUP_ACCESS_KEY', 'begin');
    const replaced = applyStep(afterBegin, 'S3_BACKUP_ACCESS_KEY', 'at-once');
    expect(replaced.S3_BACKUP_ACCESS_KEY_CLOSED).toBe(
      [ended.S3_BACKUP_ACCESS_KEY_CLOSED, afterBegin.S3_BACKUP_ACCESS_KEY, afterBegin.S3_BACKUP_ACCESS_KEY_NEXT].join(
        ' ',
      ),
    );
  });
});

describe('rotation step', () => {
  it('changes nothing when repeated, and requires the previous step', () => {
    const values = generateAll();
    for (const step of ['use', 'end'] as const) {
      const expectStep = expect(() =>
        rotate(step === 'use' ? values : applyStep(values, 'LINK_SEALING_KEY', 'begin'), 'LINK_SEALING_KEY', step),
      );
      expectStep.toThrow(step === 'use' ? 'Run begin first' : 'Run use first');
    }
    const afterBegin = applyStep(values, 'LINK_SEALING_KEY', 'begin');
    expect(rotate(afterBegin, 'LINK_SEALING_KEY', 'begin')).toEqual({});
    const used = applyStep(afterBegin, 'LINK_SEALING_KEY', 'use');
    expect(rotate(used, 'LINK_SEALING_KEY', 'use')).toEqual({});
    expect(() => rotate(used, 'LINK_SEALING_KEY', 'begin')).toThrow('Run end first');
    expect(rotate(applyStep(used, 'LINK_SEALING_KEY', 'end'), 'LINK_SEALING_KEY', 'end')).toEqual({});
  });

  it('replaces a value at once if two valid values are not needed, or during a rotation', () => {
    expect(() => rotate(generateAll(), 'NATS_OPERATOR_PASSWORD', 'begin')).toThrow('Use at-once');
    const afterBegin = applyStep(generateAll(), 'KEY_ENCRYPTION_SECRET', 'begin');
    const atOnce = applyStep(afterBegin, 'KEY_ENCRYPTION_SECRET', 'at-once');
    expect(Object.keys(atOnce).filter((name) => name.startsWith('KEY_'))).toEqual(['KEY_ENCRYPTION_SECRET']);
    expect([afterBegin.KEY_ENCRYPTION_SECRET, afterBegin.KEY_ENCRYPTION_SECRET_NEXT]).not.toContain(
      atOnce.KEY_ENCRYPTION_SECRET,
    );
  });

  it.each([
    ['CHAT_PASSWORD', {}, 'Unknown value "CHAT_PASSWORD"'],
    ['SMTP_URL', { SMTP_URL: 'smtp://a:b@mail.example' }, 'Unknown value "SMTP_URL"'],
    ['MONGO_URL', {}, 'MONGO_URL is not set'],
    ['MONGO_URL', { MONGO_URL: 'mongodb://a.example/atrium' }, 'has no password'],
    ['MONGO_NOTIFICATIONS_PASSWORD', { MONGO_URL: 'mongodb://a:b@c/atrium' }, 'MONGO_URL points to another server'],
    [
      'POSTGRES_CHAT_PASSWORD',
      { CHAT_DATABASE_URL: 'postgres://a:b@c/d' },
      'CHAT_DATABASE_URL points to another server',
    ],
    ['REDIS_PASSWORD', { REDIS_URL: 'rediss://:b@c' }, 'REDIS_URL points to another server'],
  ])('rejects the rotation of %s with %j', (name, overrides, message) => {
    expect(() => rotate(generateAll(overrides), name, 'begin')).toThrow(message);
  });
});

describe('npm run secrets -- rotate', () => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-rotate-'));
    lines.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const createSecrets = () => writeManifests(folder, { namespace: 'elsewhere', url: 'https://atrium.example' }, print);
  const recreateSecrets = () => writeManifests(folder, { namespace: undefined, url: 'https://atrium.example' }, print);

  it('writes only the changed Secrets, in their namespace, and prints the Deployments to restart', () => {
    createSecrets();
    const inodes = () => ['auth', 'chat', 'nats'].map((name) => statSync(join(folder, `atrium-${name}.yaml`)).ino);
    const before = inodes();
    lines.length = 0;
    rotateSecrets(folder, 'KEY_ENCRYPTION_SECRET', 'begin', print);
    expect(inodes().map((inode, index) => inode === before[index])).toEqual([false, true, true]);
    expect(read('atrium-auth.yaml')).toContain('namespace: elsewhere');
    expect(lines.slice(0, -1)).toEqual([
      `${folder}/values.env: changed KEY_ENCRYPTION_SECRET_NEXT.`,
      'Written: atrium-auth.',
      `kubectl apply --server-side -f ${folder}`,
      'kubectl -n elsewhere rollout restart deployment/auth && kubectl -n elsewhere rollout status deployment/auth',
    ]);
    expect(statSync(join(folder, 'values.env')).mode & 0o777).toBe(0o600);
  });

  it('keeps the state of a rotation when the Secrets are generated again', () => {
    createSecrets();
    writeFileSync(join(folder, 'values.env'), `# mine\n${read('values.env')}`);
    for (const step of ['begin', 'use', 'end'] as const) {
      for (const name of ['LINK_SEALING_KEY', 'NATS_CHAT_PASSWORD', 'POSTGRES_CHAT_PASSWORD'])
        rotateSecrets(folder, name, step, print);
      const rotated = ['values.env', 'atrium-chat.yaml', 'atrium-nats.yaml', 'atrium-notifications.yaml'].map(read);
      recreateSecrets();
      expect(['values.env', 'atrium-chat.yaml', 'atrium-nats.yaml', 'atrium-notifications.yaml'].map(read)).toEqual(
        rotated,
      );
    }
    expect(read('values.env')).toMatch(/^# mine\n/);
  });

  it('completes a step that was interrupted before the manifests were written', () => {
    createSecrets();
    const before = read('atrium-auth.yaml');
    rotateSecrets(folder, 'KEY_ENCRYPTION_SECRET', 'begin', print);
    const complete = read('atrium-auth.yaml');
    writeFileSync(join(folder, 'atrium-auth.yaml'), before);
    rotateSecrets(folder, 'KEY_ENCRYPTION_SECRET', 'begin', print);
    expect(read('atrium-auth.yaml')).toBe(complete);
    expect(lines.at(-5)).toMatch(/already done/);
  });

  it('fails if the folder contains no values', () => {
    expect(() => rotateSecrets(folder, 'KEY_ENCRYPTION_SECRET', 'begin', print)).toThrow('contains no values');
  });

  it('parses the name of a value and a step, and rejects invalid arguments', () => {
    expect(readSecretsOptions(['rotate', 'REDIS_PASSWORD', 'use'])).toEqual({
      command: 'rotate',
      name: 'REDIS_PASSWORD',
      step: 'use',
      out: 'secrets',
    });
    for (const args of [['rotate'], ['rotate', 'A'], ['rotate', 'A', 'twice'], ['rotate', 'A', 'use', '--url', 'x']])
      expect(() => readSecretsOptions(args)).toThrow(/npm run secrets -- compose/);
  });
});
