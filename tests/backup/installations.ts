import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBox, type System, startSystemIn, type WatchedBox } from '@atrium/test-kit/system/start-system';
import {
  addressesOf,
  type Box,
  startStores,
  whereaboutsOf,
} from '@atrium/tools/backup/installation/backing-installation';

type Stores = Parameters<typeof addressesOf>[0];

/** What the program of the image is told, in a cluster by a Secret. */
export function environmentOf(backing: Stores, box: Box): NodeJS.ProcessEnv {
  const { databases, nats, mongoUrl, objects, prefix, keySecrets } = whereaboutsOf(addressesOf(backing), box);
  const urls = Object.entries(databases).map(([service, url]) => [`${service.toUpperCase()}_DATABASE_URL`, url]);
  return {
    PATH: process.env.PATH,
    ...Object.fromEntries(urls),
    NATS_URL: String(nats.servers),
    NATS_USER: nats.user,
    NATS_PASSWORD: nats.pass,
    NATS_PREFIX: prefix,
    MONGO_URL: mongoUrl,
    S3_ENDPOINT: objects.endpoint,
    S3_BUCKET: objects.bucket,
    S3_ACCESS_KEY: objects.accessKey,
    S3_SECRET_KEY: objects.secretKey,
    KEY_ENCRYPTION_SECRET: keySecrets[0],
  };
}

/** A box with the secrets that an operator keeps beside the backups, and nothing else of another one. */
export const openSecondBox = (first: Box, env: Record<string, string>): WatchedBox =>
  openBox({
    env,
    furnish: (home) =>
      writeFileSync(
        join(home, 'secrets.json'),
        JSON.stringify(
          Object.fromEntries(['key encryption', 'link sealing'].map((name) => [name, first.secrets.of(name)])),
        ),
        { mode: 0o600 },
      ),
  });

/** Runs something on the stores of a box, which no service uses. */
export async function withStores<T>(box: Box, work: (env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
  const backing = await startStores(box);
  try {
    return await work(environmentOf(backing, box));
  } finally {
    await backing.stop();
  }
}

/** A whole Atrium in such a box, which ends with it. */
export async function startIn(watched: WatchedBox, options: Parameters<typeof startSystemIn>[1]): Promise<System> {
  const end = async () => {
    await watched.box.guard.close();
    watched.box.ports.release();
  };
  try {
    const system = await startSystemIn(watched, options);
    const stop = async () => {
      try {
        await system.stop();
      } finally {
        await end();
      }
    };
    return { ...system, stop };
  } catch (error) {
    await end();
    throw error;
  }
}
