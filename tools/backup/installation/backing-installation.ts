import type { Address, LauncherContext } from '@atrium/dev-server/backing/server';
import { BUCKET } from '@atrium/dev-server/backing/servers/objects';
import { databaseUrl } from '@atrium/dev-server/backing/servers/postgres-databases';
import { type Backing, startBacking } from '@atrium/dev-server/backing/start-backing';
import { PREFIX } from '@atrium/dev-server/system/start-system';
import { ofEach } from './databases.ts';
import type { InstallationConfig } from './installation.ts';

export type Box = Omit<LauncherContext, 'address'>;

/** What a backup is of. */
export const STORES = ['postgres', 'nats', 'mongo', 'objects'] as const;
export type Addresses = Record<(typeof STORES)[number], Address>;

/** Starts the launcher's backing servers, without what only processes need. */
export const startStores = (box: Box): Promise<Backing> => startBacking({ ...box, natsPrefix: PREFIX }, STORES);

export function addressesOf({ addresses: { postgres, nats, mongo, objects } }: Pick<Backing, 'addresses'>): Addresses {
  if (!postgres || !nats || !mongo || !objects) throw new Error('Not all stores were started');
  return { postgres, nats, mongo, objects };
}

/** Where the stores of a launcher's workspace are, for whoever may do everything there. */
export function whereaboutsOf(
  { postgres, nats, mongo, objects }: Addresses,
  { secrets, env }: Pick<Box, 'secrets' | 'env'>,
): InstallationConfig {
  const mongoUrl = new URL(mongo.url);
  // An address that was given may name its database; else it is ours.
  if (mongoUrl.pathname.length < 2) mongoUrl.pathname = '/atrium';
  return {
    databases: ofEach((service) => databaseUrl(postgres, service, secrets)),
    nats: { servers: nats.url, ...(nats.user && nats.password && { user: nats.user, pass: nats.password }) },
    prefix: PREFIX,
    replicas: 1,
    mongoUrl: mongoUrl.href,
    objects: {
      endpoint: objects.url,
      accessKey: objects.accessKey ?? '',
      secretKey: objects.secretKey ?? '',
      region: env.S3_REGION || 'us-east-1',
      bucket: env.S3_BUCKET || BUCKET,
    },
    keySecrets: [secrets.of('key encryption')],
  };
}
