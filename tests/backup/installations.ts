import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createWatchedContext,
  type System,
  startSystemIn,
  type WatchedContext,
} from '@atrium/test-kit/system/start-system';
import {
  type BaseLauncherContext,
  localInstallationConfig,
  requireAddresses,
  startStores,
} from '@atrium/tools/backup/installation/backing-installation';

type Stores = Parameters<typeof requireAddresses>[0];

/** Returns the environment variables of the backup program, which come from a Secret in a cluster. */
export function backupEnvironmentOf(backing: Stores, context: BaseLauncherContext): NodeJS.ProcessEnv {
  const { databases, nats, mongoUrl, objects, prefix, keySecrets } = localInstallationConfig(
    requireAddresses(backing),
    context,
  );
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

/** Creates an installation that shares only the secrets that an operator stores next to the backups. */
export const createSecondContext = (firstContext: BaseLauncherContext, env: Record<string, string>): WatchedContext =>
  createWatchedContext({
    env,
    prepareDataDir: (dataDir) =>
      writeFileSync(
        join(dataDir, 'secrets.json'),
        JSON.stringify(
          Object.fromEntries(['key encryption', 'link sealing'].map((name) => [name, firstContext.secrets.get(name)])),
        ),
        { mode: 0o600 },
      ),
  });

/** Runs `work` against stores that no service uses. */
export async function withStores<T>(
  context: BaseLauncherContext,
  work: (env: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
  const backing = await startStores(context);
  try {
    return await work(backupEnvironmentOf(backing, context));
  } finally {
    await backing.stop();
  }
}

/** Starts every service; stopping the system also closes its context. */
export async function startIn(watched: WatchedContext, options: Parameters<typeof startSystemIn>[1]): Promise<System> {
  const closeContext = async () => {
    await watched.context.reaper.close();
    watched.context.ports.release();
  };
  try {
    const system = await startSystemIn(watched, options);
    const stop = async () => {
      try {
        await system.stop();
      } finally {
        await closeContext();
      }
    };
    return { ...system, stop };
  } catch (error) {
    await closeContext();
    throw error;
  }
}
