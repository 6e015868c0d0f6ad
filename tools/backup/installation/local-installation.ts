import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { persistentContext, prepareHome } from '@atrium/dev-server/backing/launcher-context';
import type { Address } from '@atrium/dev-server/backing/server';
import { ferretUrl, mongo } from '@atrium/dev-server/backing/servers/mongo';
import { natsPassword, OPERATOR } from '@atrium/dev-server/backing/servers/nats';
import { objectKeys } from '@atrium/dev-server/backing/servers/objects';
import { databaseUrl, OWNER } from '@atrium/dev-server/backing/servers/postgres-databases';
import { readJsonFile } from '@atrium/dev-server/process-manager/json-file';
import { createSecrets, type Secrets } from '@atrium/dev-server/process-manager/secrets';
import { lockDataDir } from '@atrium/dev-server/start/launcher-record';
import { z } from 'zod';
import {
  type Addresses,
  localInstallationConfig,
  requireAddresses,
  type STORES,
  startStores,
} from './backing-installation.ts';
import { connectInstallation, type Installation } from './installation.ts';

const silentOutput = { line: () => undefined, log: () => undefined };
const portsSchema = z.object({ postgres: z.number(), nats: z.number(), mongo: z.number(), objects: z.number() });

export async function openLocalInstallation(command: 'backup' | 'restore'): Promise<Installation> {
  const home = prepareHome();
  const release = await lockDataDir(home);
  if (release) return openStoppedInstallation(home, release);
  if (command === 'restore')
    throw new Error(
      `Atrium is running from ${home}. A restore needs an empty installation: stop Atrium, or set a different ATRIUM_HOME.`,
    );
  const file = join(home, 'ports.json');
  if (!existsSync(file)) throw new Error(`Atrium in ${home} is still starting. Try again when it is ready.`);
  const secrets = createSecrets(join(home, 'secrets.json'));
  const addresses = await readLocalAddresses(readJsonFile(file, portsSchema), secrets, process.env);
  return connectInstallation(localInstallationConfig(addresses, { secrets, env: process.env }));
}

async function openStoppedInstallation(home: string, release: () => Promise<void>): Promise<Installation> {
  const context = persistentContext(home, silentOutput);
  const end = async () => {
    await context.reaper.close();
    await release();
  };
  try {
    const backing = await startStores(context);
    const installation = await connectInstallation(localInstallationConfig(requireAddresses(backing), context));
    const close = async () => {
      await installation.close();
      await backing.stop();
      await end();
    };
    return { ...installation, close };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Reads addresses from the environment, or builds them from the ports recorded in the home folder. */
async function readLocalAddresses(
  ports: z.infer<typeof portsSchema>,
  secrets: Secrets,
  env: NodeJS.ProcessEnv,
): Promise<Addresses> {
  const local = (scheme: string, name: (typeof STORES)[number]) => `${scheme}://127.0.0.1:${ports[name]}`;
  const password = secrets.get('postgres owner');
  const postgres: Address = {
    url: env.POSTGRES_URL || `postgres://${OWNER}:${password}@127.0.0.1:${ports.postgres}/postgres`,
  };
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = env;
  return {
    postgres,
    nats: { url: local('nats', 'nats'), user: OPERATOR, password: natsPassword(secrets, OPERATOR) },
    mongo: env.MONGO_URL
      ? { url: env.MONGO_URL }
      : await findMongo(ports.mongo, databaseUrl(postgres, 'ferretdb', secrets)),
    objects:
      endpoint && accessKey && secretKey
        ? { url: endpoint, accessKey, secretKey }
        : { url: local('http', 'objects'), ...objectKeys(secrets) },
  };
}

/** FerretDB authenticates its clients; the launcher's MongoDB has no users. */
async function findMongo(port: number, store: string): Promise<Address> {
  const address = { url: ferretUrl(port, store) };
  return mongo.check(address).then(
    () => address,
    () => ({ url: `mongodb://127.0.0.1:${port}` }),
  );
}
