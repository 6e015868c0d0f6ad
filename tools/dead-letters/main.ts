import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataDir } from '@atrium/dev-server/backing/launcher-context';
import { natsPassword, OPERATOR } from '@atrium/dev-server/backing/servers/nats';
import { type DatabaseName, databaseUrl, OWNER } from '@atrium/dev-server/backing/servers/postgres-databases';
import { readJsonFile } from '@atrium/dev-server/process-manager/json-file';
import { createSecrets } from '@atrium/dev-server/process-manager/secrets';
import { services } from '@atrium/dev-server/system/services';
import { z } from 'zod';
import { type InstallationConfig, readDatabaseUrls, readEnvConfig } from './installation.ts';
import { run } from './run.ts';

const portsSchema = z.object({ nats: z.number().optional(), postgres: z.number().optional() });

const readLocalConfig = (env: NodeJS.ProcessEnv): InstallationConfig => {
  const home = dataDir(env);
  const file = join(home, 'ports.json');
  const recordedPorts = existsSync(file) ? readJsonFile(file, portsSchema) : {};
  if (recordedPorts.nats === undefined)
    throw new Error(`Atrium has never been started in ${home}. Set NATS_URL to use another installation.`);
  const secrets = createSecrets(join(home, 'secrets.json'));
  const url =
    env.POSTGRES_URL ||
    (recordedPorts.postgres &&
      `postgres://${OWNER}:${secrets.get('postgres owner')}@127.0.0.1:${recordedPorts.postgres}/`);
  const databaseEntry = (database: DatabaseName) =>
    url ? [[database, databaseUrl({ url }, database, secrets)] as const] : [];
  return {
    prefix: 'atrium',
    nats: { servers: `nats://127.0.0.1:${recordedPorts.nats}`, user: OPERATOR, pass: natsPassword(secrets, OPERATOR) },
    databases: new Map([
      ...services.flatMap(({ database }) => (database ? databaseEntry(database) : [])),
      ...readDatabaseUrls(env),
    ]),
  };
};

await run(process.argv.slice(2), (env) => (env.NATS_URL ? readEnvConfig(env) : readLocalConfig(env)));
