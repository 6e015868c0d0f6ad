import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ephemeralContext, persistentContext } from '@atrium/dev-server/backing/launcher-context';
import { startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { buildUser } from '@atrium/test-kit/build-user';
import { fillDirectory } from '@atrium/test-kit/fill-directory';
import { freePort } from '@atrium/test-kit/free-port';
import { createTestTokens, serveKeys } from '@atrium/test-kit/tokens';
import pg from 'pg';
import { type Measured, startMeasured } from './processes.ts';

export const SERVICES = ['auth', 'users', 'projects', 'meetings', 'documents', 'chat', 'notifications'] as const;
export type ServiceName = (typeof SERVICES)[number];

const PEOPLE = 250;
export const PREFIX = 'bench';
/** Additional databases, each with its own NATS prefix and directory. */
const ADDITIONAL_DATABASES = ['straight', 'reading', 'sign_in'];

/** The bench's own backing servers, users with tokens, and functions to start single processes. */
export type LoadEnvironment = Awaited<ReturnType<typeof startLoadEnvironment>>;

export async function startLoadEnvironment(print: (line: string) => void) {
  const context = createContext({ line: () => undefined, log: (name, text) => print(`${name}: ${text}`) });
  const backing = await startBacking(context);
  const at = (name: 'postgres' | 'nats' | 'redis' | 'mongo' | 'objects' | 'mailbox') => {
    const address = backing.addresses[name];
    if (!address) throw new Error(`${name} is not running`);
    return address;
  };
  const tokens = await createTestTokens();
  const people = Array.from({ length: PEOPLE }, (_, index) => buildUser({ role: index === 0 ? 'admin' : 'member' }));
  const keys = await serveKeys(tokens.jwks);
  const databases = await createDatabases(at('postgres').url);
  for (const prefix of [PREFIX, ...ADDITIONAL_DATABASES.map((name) => `${PREFIX}_${name}`)])
    await fillDirectory({ url: at('nats').url, prefix }, people);

  const common = {
    NATS_URL: at('nats').url,
    NATS_PREFIX: PREFIX,
    AUTH_JWKS_URL: keys.url,
    REDIS_URL: at('redis').url,
    REDIS_PREFIX: PREFIX,
    MONGO_URL: Object.assign(new URL(at('mongo').url), { pathname: '/bench_notifications' }).href,
    S3_ENDPOINT: at('objects').url,
    S3_PUBLIC_URL: at('objects').url,
    S3_ACCESS_KEY: at('objects').accessKey ?? '',
    S3_SECRET_KEY: at('objects').secretKey ?? '',
    S3_BUCKET: 'bench',
    SMTP_URL: at('mailbox').url,
    PUBLIC_URL: 'http://127.0.0.1:1',
    // One socket sends everything.
    MAX_SOCKET_EVENTS_PER_MINUTE: '100000000',
    KEY_ENCRYPTION_SECRET: 'a secret of the bench, used nowhere else',
    LINK_SEALING_KEY: randomBytes(32).toString('base64url'),
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/atrium-compile', import.meta.url)),
  };
  return {
    print,
    people,
    natsUrl: at('nats').url,
    redisUrl: at('redis').url,
    /** The object store settings of services. */
    storeEnv: {
      S3_ENDPOINT: common.S3_ENDPOINT,
      S3_ACCESS_KEY: common.S3_ACCESS_KEY,
      S3_SECRET_KEY: common.S3_SECRET_KEY,
      S3_BUCKET: common.S3_BUCKET,
      S3_REGION: 'us-east-1',
    },
    databaseUrl: (service: string) => databases(service),
    tokenOf: (index: number) => tokens.sign(people[index % PEOPLE] as DirectoryUser, { lifeSeconds: 3600 }),
    /** A token for a user outside the bench's own users. */
    tokenFor: (person: Pick<DirectoryUser, '_id' | 'role'>) => tokens.sign(person, { lifeSeconds: 3600 }),
    startService: (
      name: ServiceName,
      database: string = name,
      {
        prefix = database === name ? PREFIX : `${PREFIX}_${database}`,
        port,
        env = {},
      }: { prefix?: string; port?: number; env?: Record<string, string> } = {},
    ): Promise<Measured> =>
      startMeasured({
        file: `services/${name}/src/main.ts`,
        ...(port !== undefined && { port }),
        env: {
          ...common,
          DATABASE_URL: databases(database),
          NATS_PREFIX: prefix,
          ...env,
        },
        ready: (url) => `${url}/readyz`,
      }),
    async startGateway(upstreams: Record<string, string>, budgets: Record<string, string> = {}): Promise<Measured> {
      const internal = await freePort();
      const env = {
        ...common,
        ...nowhere(),
        ...upstreams,
        INTERNAL_PORT: String(internal),
        WEB_ROOT: 'web/dist',
        RATE_LIMIT_PER_USER: '100000000',
        MAX_GROUPS_PER_USER_PER_DAY: '0',
        RATE_LIMIT_PER_IP: '100000000',
        ...budgets,
      };
      return startMeasured({
        file: 'gateway/src/main.ts',
        env,
        ready: () => `http://127.0.0.1:${internal}/livez`,
      });
    },
    /** A channel of the first `size` users, created through the public API. */
    async createConversation(chatUrl: string, size: number): Promise<string> {
      const response = await fetch(`${chatUrl}/api/chat/conversations`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await tokens.sign(people[0] as DirectoryUser)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          type: 'group',
          title: `bench-${Date.now()}`,
          participants: people.slice(1, size).map(({ _id }) => _id),
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

/** Seeded data is deleted with the bench, unless `BENCH_HOME` names a folder that keeps it for the next run. */
function createContext(listener: Parameters<typeof ephemeralContext>[0]) {
  if (!process.env.BENCH_HOME) return ephemeralContext(listener);
  const home = resolve(process.env.BENCH_HOME);
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o711);
  return { ...persistentContext(home, listener), durable: false };
}

const nowhere = () => Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, 'http://127.0.0.1:9']));

async function createDatabases(url: string): Promise<(service: string) => string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
  const there = new Set(rows.map(({ datname }) => datname));
  for (const name of [...SERVICES, ...ADDITIONAL_DATABASES].map((service) => `bench_${service}`))
    if (!there.has(name)) await client.query(`create database ${name}`);
  await client.end();
  return (service) => Object.assign(new URL(url), { pathname: `/bench_${service}` }).href;
}
