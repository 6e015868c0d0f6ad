import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import type { Address, LauncherContext, ServerName } from '../backing/server.ts';
import { natsPassword } from '../backing/servers/nats.ts';
import { BUCKET, objects } from '../backing/servers/objects.ts';
import { OBJECT_SERVICES, objectServiceKeys } from '../backing/servers/objects-users.ts';
import { databaseUrl } from '../backing/servers/postgres-databases.ts';
import type { Backing } from '../backing/servers/start-backing.ts';
import { gatewaySharedVariables, type ServiceRow, type SharedVariables } from './services.ts';

export interface Settings {
  shared: SharedVariables;
  nats: Address & { prefix: string };
  postgres: Address;
  ports: Map<string, number>;
  gateway: { port: number; internalPort: number };
}

export const getAddress = (backing: Backing, name: ServerName): Address => {
  const address = backing.addresses[name];
  if (!address) throw new Error(`The backing server ${name} has not been started`);
  return address;
};

// A configured URL can name its database; the launcher's own URL does not.
const withDatabase = (url: string, database: string): string => {
  const parsed = new URL(url);
  if (parsed.pathname.length < 2) parsed.pathname = `/${database}`;
  return parsed.href;
};

const toKey = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export const buildSharedVariables = (
  backing: Backing,
  context: Omit<LauncherContext, 'address'>,
  publicUrl: string,
): SharedVariables => {
  const objects = getAddress(backing, 'objects');
  return {
    MONGO_URL: withDatabase(getAddress(backing, 'mongo').url, 'atrium'),
    REDIS_URL: getAddress(backing, 'redis').url,
    REDIS_PREFIX: 'atrium',
    S3_ENDPOINT: objects.url,
    // Browsers reach the store through the gateway, so presigned links use its host.
    S3_PUBLIC_URL: publicUrl,
    S3_ACCESS_KEY: objects.accessKey ?? '',
    S3_SECRET_KEY: objects.secretKey ?? '',
    S3_BUCKET: context.env.S3_BUCKET ?? BUCKET,
    SMTP_URL: getAddress(backing, 'mailbox').url,
    PUBLIC_URL: publicUrl,
    KEY_ENCRYPTION_SECRET: context.secrets.get('key encryption'),
    LINK_SEALING_KEY: toKey(context.secrets.get('link sealing')),
    VAPID_PRIVATE_KEY: toKey(context.secrets.get('push signing')),
  };
};

const pick = (shared: SharedVariables, names: readonly (keyof SharedVariables)[]): Partial<SharedVariables> =>
  Object.fromEntries(names.map((name) => [name, shared[name]]));

const localUrl = (port: number | undefined): string => `http://127.0.0.1:${port}`;

const sharedEnvironment = ({ nats, ports }: Settings): Record<string, string> => ({
  HOST: '127.0.0.1',
  // Only the gateway is a proxy here, so its X-Forwarded-For is trusted.
  TRUSTED_PROXIES: '127.0.0.1',
  NATS_URL: nats.url,
  NATS_PREFIX: nats.prefix,
  AUTH_JWKS_URL: `${localUrl(ports.get('auth'))}/.well-known/jwks.json`,
  // Reuses the V8 compile cache of previous runs.
  NODE_COMPILE_CACHE: join(CHECKOUT, 'node_modules/.cache/atrium-compile'),
});

/** Returns no variables for an external NATS, whose credentials come from the environment. */
const getNatsUser = (
  name: string,
  { nats }: Settings,
  { env, secrets }: Pick<LauncherContext, 'env' | 'secrets'>,
): NodeJS.ProcessEnv =>
  env.NATS_URL || nats.user === undefined ? {} : { NATS_USER: name, NATS_PASSWORD: natsPassword(secrets, name) };

const getObjectKeys = (name: string, { env, secrets }: Pick<LauncherContext, 'env' | 'secrets'>): NodeJS.ProcessEnv => {
  const service = OBJECT_SERVICES.find((candidate) => candidate === name);
  if (service === undefined || objects.getAddressFromEnv(env)) return {};
  const { accessKey, secretKey } = objectServiceKeys(secrets, service);
  return { S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey };
};

export const serviceEnvironment = (
  { name, database, sharedVariables, env: extraEnv }: ServiceRow,
  settings: Settings,
  { env, secrets }: Omit<LauncherContext, 'address'>,
): NodeJS.ProcessEnv => ({
  ...env,
  ...sharedEnvironment(settings),
  ...getNatsUser(name, settings, { env, secrets }),
  ...pick(settings.shared, sharedVariables),
  ...getObjectKeys(name, { env, secrets }),
  ...extraEnv,
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
  ...sharedEnvironment(settings),
  ...pick(settings.shared, gatewaySharedVariables),
  ...Object.fromEntries(
    [...settings.ports].map(([name, port]) => [`${name.toUpperCase().replaceAll('-', '_')}_URL`, localUrl(port)]),
  ),
  // The gateway trusts no proxy unless configured.
  TRUSTED_PROXIES: env.TRUSTED_PROXIES ?? '',
  PORT: String(settings.gateway.port),
  INTERNAL_PORT: String(settings.gateway.internalPort),
  WEB_ROOT: env.WEB_ROOT ?? join(CHECKOUT, 'web/dist'),
});
