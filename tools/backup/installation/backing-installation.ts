import type { Address, LauncherContext } from '@atrium/dev-server/backing/server';
import { BUCKET } from '@atrium/dev-server/backing/servers/objects';
import { databaseUrl } from '@atrium/dev-server/backing/servers/postgres-databases';
import { type Backing, startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import { NATS_PREFIX } from '@atrium/dev-server/system/start-system';
import { mapServices } from './databases.ts';
import type { InstallationConfig } from './installation.ts';

export type BaseLauncherContext = Omit<LauncherContext, 'address'>;

export const STORES = ['postgres', 'nats', 'mongo', 'objects'] as const;
export type Addresses = Record<(typeof STORES)[number], Address>;

export const startStores = (context: BaseLauncherContext): Promise<Backing> =>
  startBacking({ ...context, natsPrefix: NATS_PREFIX }, STORES);

export function requireAddresses({
  addresses: { postgres, nats, mongo, objects },
}: Pick<Backing, 'addresses'>): Addresses {
  if (!postgres || !nats || !mongo || !objects)
    throw new Error('PostgreSQL, NATS, MongoDB, and the object store must all be started');
  return { postgres, nats, mongo, objects };
}

export function localInstallationConfig(
  { postgres, nats, mongo, objects }: Addresses,
  { secrets, env }: Pick<BaseLauncherContext, 'secrets' | 'env'>,
): InstallationConfig {
  const mongoUrl = new URL(mongo.url);
  // A configured URL may name its database; the launcher's own does not.
  if (mongoUrl.pathname.length < 2) mongoUrl.pathname = '/atrium';
  return {
    databases: mapServices((service) => databaseUrl(postgres, service, secrets)),
    nats: { servers: nats.url, ...(nats.user && nats.password && { user: nats.user, pass: nats.password }) },
    prefix: NATS_PREFIX,
    replicas: 1,
    mongoUrl: mongoUrl.href,
    objects: {
      endpoint: objects.url,
      accessKey: objects.accessKey ?? '',
      secretKey: objects.secretKey ?? '',
      region: env.S3_REGION || 'us-east-1',
      bucket: env.S3_BUCKET || BUCKET,
    },
    keySecrets: [secrets.get('key encryption')],
  };
}
