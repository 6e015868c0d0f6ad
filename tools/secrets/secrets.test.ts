import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { services } from '@atrium/dev-server/system/services';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readInstallationConfig } from '../backup/installation/installation.ts';
import { completeEnvText, readEnvText } from './env-file.ts';
import { buildSecrets } from './layout.ts';
import { readSecretsOptions } from './options.ts';
import { databaseServices, objectUsers, secretValues } from './values.ts';
import { printManifests, writeCompose, writeManifests } from './write-secrets.ts';

const EXAMPLE = join(CHECKOUT, 'deploy/.env.example');
const manifest = z.object({
  kind: z.literal('Secret'),
  metadata: z.object({ name: z.string(), namespace: z.string() }),
  data: z.record(z.string(), z.base64().min(1)),
});
const decodeData = (data: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
const lines: string[] = [];
const print = (line: string) => void lines.push(line);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-secrets-'));
  lines.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

const getMode = (file: string): number => statSync(file).mode & 0o777;
const generateValues = () => completeEnvText('', secretValues).values;

describe('a generated secret', () => {
  it('is random and strong', () => {
    const first = generateValues();
    const second = generateValues();
    for (const [name, value] of Object.entries(first)) {
      expect(value).not.toBe(second[name]);
      expect(value.length).toBeGreaterThanOrEqual(20);
    }
    expect(new Set(Object.values(first)).size).toBe(Object.keys(first).length);
  });

  it('needs no escaping in URLs, and starts with a letter for NATS', () => {
    const { LINK_SEALING_KEY: sealingKey = '', VAPID_PRIVATE_KEY: pushKey = '', ...tokens } = generateValues();
    for (const key of [sealingKey, pushKey]) expect(Buffer.from(key, 'base64url')).toHaveLength(32);
    for (const value of Object.values(tokens)) expect(value).toMatch(/^[A-Za-z][A-Za-z0-9]+$/);
  });
});

describe('npm run secrets -- compose', () => {
  const runCompose = () => {
    const file = join(folder, '.env');
    writeCompose(file, EXAMPLE, print);
    return file;
  };

  it('replaces every placeholder of the example, in a file that only its owner can read', () => {
    const file = runCompose();
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/=replace-me/);
    expect(Object.keys(readEnvText(text))).toEqual(expect.arrayContaining(Object.keys(secretValues)));
    expect(getMode(file)).toBe(0o600);
    expect(lines.at(-1)).toBe(
      `When Atrium is running, create the first administrator at http://localhost:3000/login?setup=${readEnvText(text).SETUP_TOKEN}`,
    );
  });

  it('finds exactly one placeholder for each value in the example', () => {
    const placeholders = [...readFileSync(EXAMPLE, 'utf8').matchAll(/^([A-Z0-9_]+)=replace-me$/gm)].map(
      ([, name]) => name,
    );
    expect(placeholders.sort()).toEqual(Object.keys(secretValues).sort());
  });

  it('preserves existing values and generates missing ones', () => {
    const file = runCompose();
    const complete = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      complete.replace(/^(NATS_CHAT_PASSWORD)=.*$/m, '').replace(/^(REDIS_PASSWORD)=.*$/m, '$1=replace-me'),
    );
    writeCompose(file, EXAMPLE, print);
    const before = readEnvText(complete);
    const after = readEnvText(readFileSync(file, 'utf8'));
    expect(lines.at(-2)).toBe(`${file}: generated REDIS_PASSWORD, NATS_CHAT_PASSWORD.`);
    const { REDIS_PASSWORD, NATS_CHAT_PASSWORD, ...unchanged } = before;
    expect(after).toMatchObject(unchanged);
    expect(after.REDIS_PASSWORD).not.toBe(REDIS_PASSWORD);
    expect(after.NATS_CHAT_PASSWORD).not.toBe(NATS_CHAT_PASSWORD);
    writeCompose(file, EXAMPLE, print);
    expect(lines.at(-2)).toMatch(/nothing was changed/);
    expect(readEnvText(readFileSync(file, 'utf8'))).toEqual(after);
  });

  it('writes a file that git ignores', () => {
    expect(execFileSync('git', ['check-ignore', 'deploy/.env'], { cwd: CHECKOUT, encoding: 'utf8' })).toBe(
      'deploy/.env\n',
    );
  });
});

describe('npm run secrets -- kubernetes', () => {
  const cluster = { namespace: 'atrium', url: 'https://atrium.example' };
  const listManifests = () => readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const readManifest = (name: string) => manifest.parse(parse(readFileSync(join(folder, `${name}.yaml`), 'utf8')));
  const readSecret = (name: string) => decodeData(readManifest(name).data);

  it('gives backups the addresses of all stores', () => {
    writeManifests(folder, cluster, print);
    const settings = readEnvText(readFileSync(join(CHECKOUT, 'deploy/base/settings.env'), 'utf8'));
    const content = readSecret('atrium-backup');
    const { databases, nats, mongoUrl } = readInstallationConfig({ ...settings, NATS_USER: 'operator', ...content });
    expect(databases.chat).toBe(readSecret('atrium-chat').DATABASE_URL);
    expect(nats.pass).toBe(readSecret('atrium-nats').NATS_OPERATOR_PASSWORD);
    expect(mongoUrl).toBe(readSecret('atrium-notifications').MONGO_URL);
    expect(content.KEY_ENCRYPTION_SECRET).toBeUndefined();
  });

  it('writes consistent Secrets for each service and backing server', () => {
    writeManifests(folder, cluster, print);
    const secrets = listManifests().map((file) => readManifest(file.replace('.yaml', '')));
    const backing = ['postgres', 'redis', 'mongo', 'nats', 'objects', 'mailbox'];
    const names = [...services.map(({ name }) => name), 'gateway', 'backup', 'streams', ...backing];
    expect(secrets.map(({ metadata }) => metadata.name).sort()).toEqual(names.map((name) => `atrium-${name}`).sort());
    const postgres = readSecret('atrium-postgres');
    for (const name of databaseServices) {
      const content = readSecret(`atrium-${name}`);
      const address = new URL(content.DATABASE_URL ?? '');
      expect([address.username, address.password, address.pathname]).toEqual([
        `atrium_${name}`,
        postgres[`${name.toUpperCase()}_PASSWORD`],
        `/atrium_${name}`,
      ]);
      expect(content.NATS_USER).toBe(name);
      expect(content.NATS_PASSWORD).toBe(readSecret('atrium-nats')[`NATS_${name.toUpperCase()}_PASSWORD`]);
    }
    expect(readSecret('atrium-streams')).toEqual({
      NATS_USER: 'streams',
      NATS_PASSWORD: readSecret('atrium-nats').NATS_STREAMS_PASSWORD,
    });
    expect(readSecret('atrium-auth').LINK_SEALING_KEY).toBe(readSecret('atrium-notifications').LINK_SEALING_KEY);
    for (const name of objectUsers)
      expect(readSecret(`atrium-${name}`)).toMatchObject({
        S3_ACCESS_KEY: readSecret('atrium-objects')[`S3_${name.toUpperCase()}_ACCESS_KEY`],
        S3_SECRET_KEY: readSecret('atrium-objects')[`S3_${name.toUpperCase()}_SECRET_KEY`],
      });
    const redis = readSecret('atrium-redis').REDIS_PASSWORD;
    for (const name of ['chat', 'gateway'])
      expect(readSecret(`atrium-${name}`).REDIS_URL).toBe(`redis://:${redis}@redis:6379`);
    const mongo = new URL(readSecret('atrium-notifications').MONGO_URL ?? '');
    expect([mongo.username, mongo.password]).toEqual([
      'notifications',
      readSecret('atrium-mongo').NOTIFICATIONS_PASSWORD,
    ]);
    expect(readSecret('atrium-mongo').MONGO_INITDB_ROOT_PASSWORD).not.toBe(mongo.password);
  });

  it('gives each process only the values it needs', () => {
    const { 'atrium-auth': auth, 'atrium-gateway': gateway, 'atrium-users': users } = buildSecrets(generateValues());
    expect(Object.keys(auth ?? {}).sort()).toEqual([
      'DATABASE_URL',
      'KEY_ENCRYPTION_SECRET',
      'LINK_SEALING_KEY',
      'NATS_PASSWORD',
      'NATS_USER',
      'SETUP_TOKEN',
    ]);
    expect(Object.keys(gateway ?? {})).toEqual(['REDIS_URL']);
    expect(Object.keys(users ?? {}).sort()).toEqual(['DATABASE_URL', 'NATS_PASSWORD', 'NATS_USER']);
  });

  it('preserves the values in its folder, which git ignores and only the owner can read', () => {
    writeManifests(folder, cluster, print);
    const before = listManifests().map((file) => readFileSync(join(folder, file), 'utf8'));
    writeManifests(folder, cluster, print);
    expect(listManifests().map((file) => readFileSync(join(folder, file), 'utf8'))).toEqual(before);
    for (const file of [...listManifests(), 'values.env']) expect(getMode(join(folder, file))).toBe(0o600);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
    expect(lines.at(-1)).toMatch(
      /^When Atrium is running, .* at https:\/\/atrium\.example\/login\?setup=[A-Za-z0-9]{32}$/,
    );
  });

  it('reuses the namespace of existing manifests, and writes `data` so that removed keys disappear', () => {
    writeManifests(folder, { ...cluster, namespace: 'other' }, print);
    writeManifests(folder, { ...cluster, namespace: undefined }, print);
    expect(lines.at(-3)).toBe('No Secret has changed.');
    expect(readManifest('atrium-users').metadata.namespace).toBe('other');
    for (const file of listManifests()) expect(readFileSync(join(folder, file), 'utf8')).not.toContain('stringData');
  });

  it('uses configured store addresses, and a previous value during a rotation', () => {
    const overrides = {
      AUTH_DATABASE_URL: 'postgres://auth:own@db.example/auth?sslmode=verify-full',
      MONGO_URL: 'mongodb://shards.example/atrium',
      KEY_ENCRYPTION_SECRET_PREVIOUS: 'previous secret',
    };
    const text = Object.entries(overrides).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(folder, 'values.env'), text.join(''));
    writeManifests(folder, cluster, print);
    expect(readSecret('atrium-auth')).toMatchObject({
      DATABASE_URL: overrides.AUTH_DATABASE_URL,
      KEY_ENCRYPTION_SECRET_PREVIOUS: overrides.KEY_ENCRYPTION_SECRET_PREVIOUS,
    });
    expect(readSecret('atrium-notifications').MONGO_URL).toBe(overrides.MONGO_URL);
    expect(readSecret('atrium-users').DATABASE_URL).toMatch(/@postgres:5432\//);
  });

  it('uses direct database addresses for processes that cannot use a pooler', () => {
    const pooled = 'postgres://atrium_chat:own@pooler:6432/atrium_chat';
    const direct = 'postgres://atrium_chat:own@postgres:5432/atrium_chat';
    writeFileSync(join(folder, 'values.env'), `CHAT_DATABASE_URL=${pooled}\nCHAT_DATABASE_DIRECT_URL=${direct}\n`);
    writeManifests(folder, cluster, print);
    expect(readSecret('atrium-chat')).toMatchObject({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct });
    expect(readSecret('atrium-backup').CHAT_DATABASE_URL).toBe(direct);
    expect(readSecret('atrium-users').DATABASE_DIRECT_URL).toBeUndefined();
    expect(readSecret('atrium-backup').USERS_DATABASE_URL).toBe(readSecret('atrium-users').DATABASE_URL);
  });

  it('prints only manifests to stdout, so that they can be piped', () => {
    const messages: string[] = [];
    printManifests({ ...cluster, namespace: 'other' }, print, (line) => void messages.push(line));
    const secrets = parseAllDocuments(lines.join('\n')).map((document) => manifest.parse(document.toJS()));
    expect(secrets).toHaveLength(Object.keys(buildSecrets(generateValues())).length);
    expect(new Set(secrets.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['other']));
    expect(messages.join('\n')).toMatch(/not saved/);
  });
});

describe('readSecretsOptions', () => {
  it('parses valid arguments, and rejects invalid ones', () => {
    expect(readSecretsOptions(['kubernetes', '--out', 'here', '--url', 'https://a.example/'])).toEqual({
      command: 'kubernetes',
      namespace: undefined,
      out: 'here',
      url: 'https://a.example',
    });
    expect(readSecretsOptions(['compose'])).toEqual({ command: 'compose', file: undefined });
    for (const args of [
      [],
      ['swarm'],
      ['compose', '--out', 'x'],
      ['kubernetes', '--namespace', 'A b'],
      ['compose', 'x'],
    ])
      expect(() => readSecretsOptions(args)).toThrow(/npm run secrets -- compose/);
  });
});
