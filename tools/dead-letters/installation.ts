import { natsEnv, readEnv } from '@atrium/service-kit/config/env';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type ConnectionOptions, connect } from '@nats-io/transport-node';

export type Installation = {
  prefix: string;
  js: JetStreamClient;
  manager: JetStreamManager;
  databases: ReadonlyMap<string, string>;
  close(): Promise<void>;
};

export type InstallationConfig = { prefix: string; nats: ConnectionOptions; databases: Map<string, string> };

export const connectInstallation = async ({ prefix, nats, databases }: InstallationConfig): Promise<Installation> => {
  const connection = await connect({ ...nats, name: 'dead letters', timeout: 5_000 });
  return {
    prefix,
    databases,
    js: jetstream(connection, { timeout: 5_000 }),
    manager: await jetstreamManager(connection, { timeout: 5_000, checkAPI: false }),
    close: () => connection.close(),
  };
};

const DATABASE = /^([A-Z]+)_DATABASE_URL$/;

export const readDatabaseUrls = (env: NodeJS.ProcessEnv): Map<string, string> =>
  new Map(
    Object.entries(env).flatMap(([name, url]) => {
      const service = DATABASE.exec(name)?.[1]?.toLowerCase();
      return service && url ? [[service, url] as const] : [];
    }),
  );

export const readEnvConfig = (env: NodeJS.ProcessEnv): InstallationConfig => {
  const config = readEnv(natsEnv, env);
  return { prefix: config.NATS_PREFIX, nats: readNatsAccess(config), databases: readDatabaseUrls(env) };
};
