import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import type { Address, LauncherContext, ServerName } from '../backing/server.ts';
import { natsPassword } from '../backing/servers/nats.ts';
import { BUCKET, objects } from '../backing/servers/objects.ts';
import { OBJECT_SERVICES, objectServiceKeys } from '../backing/servers/objects-users.ts';
import { databaseUrl } from '../backing/servers/postgres-databases.ts';
import type { Backing } from '../backing/start-backing.ts';
import { gatewayNeeds, type ServiceRow, type Shared } from './services.ts';

export interface Settings {
  shared: Shared;
  nats: Address & { prefix: string };
  postgres: Address;
  /** Where each process listens. */
  ports: Map<string, number>;
  gateway: { port: number; internalPort: number };
}

export const addressOf = (backing: Backing, name: ServerName): Address => {
  const address = backing.addresses[name];
  if (!address) throw new Error(`${name} has not been started`);
  return address;
};

// A URL that was given may name its database; else it is ours.
const withDatabase = (url: string, database: string): string => {
  const parsed = new URL(url);
  if (parsed.pathname.length < 2) parsed.pathname = `/${database}`;
  return parsed.href;
};

export const sharedValues = (
  backing: Backing,
  toolbox: Omit<LauncherContext, 'address'>,
  publicUrl: string,
): Shared => {
  const objects = addressOf(backing, 'objects');
  return {
    MONGO_URL: withDatabase(addressOf(backing, 'mongo').url, 'atrium'),
    REDIS_URL: addressOf(backing, 'redis').url,
    REDIS_PREFIX: 'atrium',
    S3_ENDPOINT: objects.url,
    // Browsers reach the store through the gateway, so links are signed for its host.
    S3_PUBLIC_URL: publicUrl,
    S3_ACCESS_KEY: objects.accessKey ?? '',
    S3_SECRET_KEY: objects.secretKey ?? '',
    S3_BUCKET: toolbox.env.S3_BUCKET ?? BUCKET,
    SMTP_URL: addressOf(backing, 'mailbox').url,
    PUBLIC_URL: publicUrl,
    KEY_ENCRYPTION_SECRET: toolbox.secrets.of('key encryption'),
    LINK_SEALING_KEY: createHash('sha256').update(toolbox.secrets.of('link sealing')).digest('base64url'),
  };
};

const pick = (shared: Shared, needs: readonly (keyof Shared)[]): Partial<Shared> =>
  Object.fromEntries(needs.map((name) => [name, shared[name]]));

const local = (port: number | undefined): string => `http://127.0.0.1:${port}`;

const everybody = ({ nats, ports }: Settings): Record<string, string> => ({
  HOST: '127.0.0.1',
  // Only the gateway stands before the services here, so what it says of a client's address is true.
  TRUSTED_PROXIES: '127.0.0.1',
  NATS_URL: nats.url,
  NATS_PREFIX: nats.prefix,
  AUTH_JWKS_URL: `${local(ports.get('auth'))}/.well-known/jwks.json`,
  // What V8 compiled at the last start is read instead of made again.
  NODE_COMPILE_CACHE: join(CHECKOUT, 'node_modules/.cache/atrium-compile'),
});

/** Each service is a user of its own to the launcher's NATS; to one that was given it is what the environment says. */
const natsUser = (
  name: string,
  { nats }: Settings,
  { env, secrets }: Pick<LauncherContext, 'env' | 'secrets'>,
): NodeJS.ProcessEnv =>
  env.NATS_URL || nats.user === undefined ? {} : { NATS_USER: name, NATS_PASSWORD: natsPassword(secrets, name) };

/** The same for the object store. */
const objectUser = (name: string, { env, secrets }: Pick<LauncherContext, 'env' | 'secrets'>): NodeJS.ProcessEnv => {
  const service = OBJECT_SERVICES.find((one) => one === name);
  if (service === undefined || objects.given(env)) return {};
  const { accessKey, secretKey } = objectServiceKeys(secrets, service);
  return { S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey };
};

export const serviceEnvironment = (
  { name, database, needs, env: more }: ServiceRow,
  settings: Settings,
  { env, secrets }: Omit<LauncherContext, 'address'>,
): NodeJS.ProcessEnv => ({
  ...env,
  ...everybody(settings),
  ...natsUser(name, settings, { env, secrets }),
  ...pick(settings.shared, needs),
  ...objectUser(name, { env, secrets }),
  ...more,
  PORT: String(settings.ports.get(name)),
  ...(database ? { DATABASE_URL: databaseUrl(settings.postgres, database, secrets) } : {}),
  ...(database && env.POSTGRES_DIRECT_URL
    ? { DATABASE_DIRECT_URL: databaseUrl({ url: env.POSTGRES_DIRECT_URL }, database, secrets) }
    : {}),
});

export const gatewayEnvironment = (
  settings: Settings,
  { env }: Omit<LauncherContext, 'address'>,
): NodeJS.ProcessEnv => ({
  ...env,
  ...everybody(settings),
  ...pick(settings.shared, gatewayNeeds),
  ...Object.fromEntries(
    [...settings.ports].map(([name, port]) => [`${name.toUpperCase().replaceAll('-', '_')}_URL`, local(port)]),
  ),
  // Nobody stands before the gateway unless an operator says so.
  TRUSTED_PROXIES: env.TRUSTED_PROXIES ?? '',
  PORT: String(settings.gateway.port),
  INTERNAL_PORT: String(settings.gateway.internalPort),
  WEB_ROOT: join(CHECKOUT, 'web/dist'),
});
