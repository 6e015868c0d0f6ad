import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataDir } from '@atrium/dev-server/backing/launcher-context';
import { natsPassword, OPERATOR } from '@atrium/dev-server/backing/servers/nats';
import { type DatabaseName, databaseUrl, OWNER } from '@atrium/dev-server/backing/servers/postgres-databases';
import { readJsonFile } from '@atrium/dev-server/process-manager/json-file';
import { createSecrets } from '@atrium/dev-server/process-manager/secrets';
import { services } from '@atrium/dev-server/system/services';
import { z } from 'zod';
import { databasesIn, type InstallationConfig } from './installation.ts';

const ports = z.object({ nats: z.number().optional(), postgres: z.number().optional() });

/** The configuration of the local installation. Throws if none has been started. */
export const readLocalConfig = (env: NodeJS.ProcessEnv): InstallationConfig => {
  const home = dataDir(env);
  const file = join(home, 'ports.json');
  const remembered = existsSync(file) ? readJsonFile(file, ports) : {};
  if (remembered.nats === undefined)
    throw new Error(`Atrium has never been started in ${home}. Set NATS_URL to use another installation.`);
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
