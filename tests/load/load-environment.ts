import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ephemeralContext, persistentContext } from '@atrium/dev-server/backing/launcher-context';
import { startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import type { DirectoryDepartment, DirectoryUser } from '@atrium/proto-events/people';
import { buildUser } from '@atrium/test-kit/build-user';
import { fillDirectory } from '@atrium/test-kit/fill-directory';
import { freePort } from '@atrium/test-kit/free-port';
import { createTestTokens, serveKeys } from '@atrium/test-kit/tokens';
import pg from 'pg';
import { type MeasuredProcess, startMeasured } from './processes.ts';

export const SERVICES = ['auth', 'users', 'projects', 'meetings', 'documents', 'chat', 'notifications'] as const;
export type ServiceName = (typeof SERVICES)[number];

const USERS = 250;
export const PREFIX = 'bench';
/** Additional databases, each with its own NATS prefix and directory. */
const ADDITIONAL_DATABASES = ['straight', 'reading', 'sign_in', 'channel', 'search'];

/** Dedicated backing servers, users with tokens, and functions that start single processes. */
export type LoadEnvironment = Awaited<ReturnType<typeof startLoadEnvironment>>;

export async function startLoadEnvironment(print: (line: string) => void) {
  const context = createContext({ line: () => undefined, log: (name, text) => print(`${name}: ${text}`) });
  const backing = await startBacking(context);
  const addressOf = (name: 'postgres' | 'nats' | 'redis' | 'mongo' | 'objects' | 'mailbox') => {
    const address = backing.addresses[name];
    if (!address) throw new Error(`${name} is not running`);
    return address;
  };
  const tokens = await createTestTokens();
  const users = Array.from({ length: USERS }, (_, index) => buildUser({ role: index === 0 ? 'admin' : 'member' }));
  const keys = await serveKeys(tokens.jwks);
  const databases = await createDatabases(addressOf('postgres').url);
  for (const prefix of [PREFIX, ...ADDITIONAL_DATABASES.map((name) => `${PREFIX}_${name}`)])
    await fillDirectory({ url: addressOf('nats').url, prefix }, users);

  const commonEnv = {
    NATS_URL: addressOf('nats').url,
    NATS_PREFIX: PREFIX,
    AUTH_JWKS_URL: keys.url,
    REDIS_URL: addressOf('redis').url,
    REDIS_PREFIX: PREFIX,
    MONGO_URL: Object.assign(new URL(addressOf('mongo').url), { pathname: '/bench_notifications' }).href,
    S3_ENDPOINT: addressOf('objects').url,
    S3_PUBLIC_URL: addressOf('objects').url,
    S3_ACCESS_KEY: addressOf('objects').accessKey ?? '',
    S3_SECRET_KEY: addressOf('objects').secretKey ?? '',
    S3_BUCKET: 'bench',
    SMTP_URL: addressOf('mailbox').url,
    PUBLIC_URL: 'http://127.0.0.1:1',
    // One socket sends all events of a bench.
    MAX_SOCKET_EVENTS_PER_MINUTE: '100000000',
    KEY_ENCRYPTION_SECRET: 'a secret of the bench, used nowhere else',
    LINK_SEALING_KEY: randomBytes(32).toString('base64url'),
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/atrium-compile', import.meta.url)),
  };
  return {
    print,
    users,
    natsUrl: addressOf('nats').url,
    redisUrl: addressOf('redis').url,
    /** The object store settings of services. */
    storeEnv: {
      S3_ENDPOINT: commonEnv.S3_ENDPOINT,
      S3_ACCESS_KEY: commonEnv.S3_ACCESS_KEY,
      S3_SECRET_KEY: commonEnv.S3_SECRET_KEY,
      S3_BUCKET: commonEnv.S3_BUCKET,
      S3_REGION: 'us-east-1',
    },
    /** Adds users and departments to the directory of an additional database. */
    fillDirectory: (database: string, users: readonly DirectoryUser[], departments: readonly DirectoryDepartment[]) =>
      fillDirectory({ url: addressOf('nats').url, prefix: `${PREFIX}_${database}` }, users, departments),
    databaseUrl: (service: string) => databases(service),
    tokenOf: (index: number) => tokens.sign(users[index % USERS] as DirectoryUser, { lifeSeconds: 3600 }),
    /** Signs a token for any other user. */
    tokenFor: (user: Pick<DirectoryUser, '_id' | 'role'>) => tokens.sign(user, { lifeSeconds: 3600 }),
    startService: (
      name: ServiceName,
      database: string = name,
      {
        prefix = database === name ? PREFIX : `${PREFIX}_${database}`,
        port,
        checkout,
        env = {},
      }: { prefix?: string; port?: number; checkout?: string; env?: Record<string, string> } = {},
    ): Promise<MeasuredProcess> =>
      startMeasured({
        file: `services/${name}/src/main.ts`,
        ...(port !== undefined && { port }),
        ...(checkout !== undefined && { checkout }),
        env: {
          ...commonEnv,
          DATABASE_URL: databases(database),
          NATS_PREFIX: prefix,
          ...env,
        },
        ready: (url) => `${url}/readyz`,
      }),
    async startGateway(
      upstreams: Record<string, string>,
      limits: Record<string, string> = {},
    ): Promise<MeasuredProcess> {
      const internal = await freePort();
      const env = {
        ...commonEnv,
        ...unreachableUpstreams(),
        ...upstreams,
        INTERNAL_PORT: String(internal),
        WEB_ROOT: 'web/dist',
        RATE_LIMIT_PER_USER: '100000000',
        MAX_GROUPS_PER_USER_PER_DAY: '0',
        RATE_LIMIT_PER_IP: '100000000',
        ...limits,
      };
      return startMeasured({
        file: 'gateway/src/main.ts',
        env,
        ready: () => `http://127.0.0.1:${internal}/livez`,
      });
    },
    /** Creates a channel of the first `size` users through the public API. */
    async createConversation(chatUrl: string, size: number): Promise<string> {
      const response = await fetch(`${chatUrl}/api/chat/conversations`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await tokens.sign(users[0] as DirectoryUser)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          type: 'group',
          title: `bench-${Date.now()}`,
          participants: users.slice(1, size).map(({ _id }) => _id),
        }),
      });
      if (response.status !== 201) throw new Error(`Failed to create a conversation: ${await response.text()}`);
      return ((await response.json()) as { _id: string })._id;
    },
    async stop() {
      keys.close();
      await backing.stop();
      await context.reaper.close();
    },
  };
}

/** Creates a context whose data is deleted at the end, unless `BENCH_HOME` names a folder that keeps it. */
function createContext(listener: Parameters<typeof ephemeralContext>[0]) {
  if (!process.env.BENCH_HOME) return ephemeralContext(listener);
  const dataDir = resolve(process.env.BENCH_HOME);
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o711);
  return { ...persistentContext(dataDir, listener), durable: false };
}

const unreachableUpstreams = () =>
  Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, 'http://127.0.0.1:9']));

async function createDatabases(url: string): Promise<(service: string) => string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
  const existing = new Set(rows.map(({ datname }) => datname));
  for (const name of [...SERVICES, ...ADDITIONAL_DATABASES].map((service) => `bench_${service}`))
    if (!existing.has(name)) await client.query(`create database ${name}`);
  await client.end();
  return (service) => Object.assign(new URL(url), { pathname: `/bench_${service}` }).href;
}
