import { createS3Client } from '@atrium/object-store/s3/s3-client';
import { natsEnv, readEnv } from '@atrium/service-kit/config/env';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type ConnectionOptions, connect } from '@nats-io/transport-node';
import type { Client } from 'minio';
import { type Db, MongoClient } from 'mongodb';
import { z } from 'zod';
import { mapServices, SERVICES, type Service, toUrlVariable } from './databases.ts';

export type InstallationConfig = {
  databases: Readonly<Record<Service, string>>;
  nats: Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'authenticator' | 'tls'>;
  prefix: string;
  replicas: number;
  mongoUrl: string;
  objects: { endpoint: string; accessKey: string; secretKey: string; region: string; bucket: string };
  /** The current and previous key encryption secret of auth. One must decrypt the signing keys of a restored backup. */
  keySecrets: readonly string[];
};

export type Installation = Omit<InstallationConfig, 'nats' | 'mongoUrl' | 'objects'> & {
  js: JetStreamClient;
  manager: JetStreamManager;
  mongo: Db;
  objects: Client;
  bucket: string;
  close(): Promise<void>;
};

const url = z.string().min(1);
const databaseUrls = Object.fromEntries(SERVICES.map((service) => [toUrlVariable(service), url])) as Record<
  ReturnType<typeof toUrlVariable>,
  typeof url
>;
const installationEnv = natsEnv.extend({
  ...databaseUrls,
  MONGO_URL: url,
  S3_ENDPOINT: z.url(),
  S3_BUCKET: z.string().min(3),
  S3_ACCESS_KEY: z.string().min(1),
  S3_SECRET_KEY: z.string().min(1),
  S3_REGION: z.string().default('us-east-1'),
  KEY_ENCRYPTION_SECRET: z.string().min(16).optional(),
  KEY_ENCRYPTION_SECRET_PREVIOUS: z.string().min(16).optional(),
});

export function readInstallationConfig(env: NodeJS.ProcessEnv): InstallationConfig {
  const config = readEnv(installationEnv, env);
  return {
    databases: mapServices((service) => config[toUrlVariable(service)]),
    nats: readNatsAccess(config),
    prefix: config.NATS_PREFIX,
    replicas: config.NATS_REPLICAS,
    mongoUrl: config.MONGO_URL,
    objects: {
      endpoint: config.S3_ENDPOINT,
      accessKey: config.S3_ACCESS_KEY,
      secretKey: config.S3_SECRET_KEY,
      region: config.S3_REGION,
      bucket: config.S3_BUCKET,
    },
    keySecrets: [config.KEY_ENCRYPTION_SECRET, config.KEY_ENCRYPTION_SECRET_PREVIOUS].filter(
      (secret) => secret !== undefined,
    ),
  };
}

/** Maximum time between two chunks of a response from the object store. */
const SOCKET_TIMEOUT_MS = 30_000;

export async function connectInstallation({
  nats,
  mongoUrl,
  objects,
  ...rest
}: InstallationConfig): Promise<Installation> {
  const connection = await connect({ ...nats, name: 'backup', timeout: 5_000 });
  const mongo = new MongoClient(mongoUrl, { serverSelectionTimeoutMS: 5_000 });
  try {
    await mongo.connect();
    return {
      ...rest,
      js: jetstream(connection, { timeout: 10_000 }),
      manager: await jetstreamManager(connection, { timeout: 10_000, checkAPI: false }),
      mongo: mongo.db(),
      objects: createS3Client(
        {
          S3_ENDPOINT: objects.endpoint,
          S3_ACCESS_KEY: objects.accessKey,
          S3_SECRET_KEY: objects.secretKey,
          S3_REGION: objects.region,
        },
        SOCKET_TIMEOUT_MS,
      ),
      bucket: objects.bucket,
      async close() {
        await Promise.all([connection.close(), mongo.close()]);
      },
    };
  } catch (error) {
    await Promise.all([connection.close(), mongo.close()]);
    throw error;
  }
}
