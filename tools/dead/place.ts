import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { natsPassword, OPERATOR } from '@atrium/local/backing/servers/nats';
import { type DatabaseName, databaseUrl, OWNER } from '@atrium/local/backing/servers/postgres-databases';
import { homeFolder } from '@atrium/local/backing/toolbox';
import { readJsonFile } from '@atrium/local/supervise/json-file';
import { createSecrets } from '@atrium/local/supervise/secrets';
import { services } from '@atrium/local/system/services';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { natsEnv, readEnv } from '@atrium/service-kit/process/env';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type ConnectionOptions, connect } from '@nats-io/transport-node';
import { z } from 'zod';

/** A running Atrium, as its operator sees it. */
export type Place = {
  prefix: string;
  js: JetStreamClient;
  manager: JetStreamManager;
  /** The databases whose outboxes can be looked into, by service. */
  databases: ReadonlyMap<string, string>;
  close(): Promise<void>;
};

const ports = z.object({ nats: z.number().optional(), postgres: z.number().optional() });

const DATABASE = /^([A-Z]+)_DATABASE_URL$/;

type Whereabouts = { prefix: string; nats: ConnectionOptions; databases: Map<string, string> };

/** Connects to where the environment says, or to the workspace of this machine. */
export const openPlace = async (env: NodeJS.ProcessEnv): Promise<Place> => {
  const { prefix, nats, databases } = env.NATS_URL ? givenPlace(env) : ownPlace(env);
  const connection = await connect({ ...nats, name: 'dead letters', timeout: 5_000 });
  return {
    prefix,
    databases,
    js: jetstream(connection, { timeout: 5_000 }),
    manager: await jetstreamManager(connection, { timeout: 5_000, checkAPI: false }),
    close: () => connection.close(),
  };
};

const databasesIn = (env: NodeJS.ProcessEnv): Map<string, string> =>
  new Map(
    Object.entries(env).flatMap(([name, url]) => {
      const service = DATABASE.exec(name)?.[1]?.toLowerCase();
      return service && url ? [[service, url] as const] : [];
    }),
  );

const givenPlace = (env: NodeJS.ProcessEnv): Whereabouts => {
  const config = readEnv(natsEnv, env);
  return { prefix: config.NATS_PREFIX, nats: readNatsAccess(config), databases: databasesIn(env) };
};

const ownPlace = (env: NodeJS.ProcessEnv): Whereabouts => {
  const home = homeFolder(env);
  const file = join(home, 'ports.json');
  const remembered = existsSync(file) ? readJsonFile(file, ports) : {};
  if (remembered.nats === undefined) throw new Error(`No Atrium has run in ${home}. Set NATS_URL to look elsewhere.`);
  const secrets = createSecrets(join(home, 'secrets.json'));
  const url =
    env.POSTGRES_URL ||
    (remembered.postgres && `postgres://${OWNER}:${secrets.of('postgres owner')}@127.0.0.1:${remembered.postgres}/`);
  const of = (database: DatabaseName) => (url ? [[database, databaseUrl({ url }, database, secrets)] as const] : []);
  return {
    prefix: 'atrium',
    nats: { servers: `nats://127.0.0.1:${remembered.nats}`, user: OPERATOR, pass: natsPassword(secrets, OPERATOR) },
    databases: new Map([...services.flatMap(({ database }) => (database ? of(database) : [])), ...databasesIn(env)]),
  };
};
