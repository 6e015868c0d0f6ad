import { persistentContext, prepareHome } from '@atrium/dev-server/backing/launcher-context';
import { createLogStream } from '@atrium/dev-server/console/log-stream';
import { lockDataDir } from '@atrium/dev-server/start/launcher-record';
import { launchSystem } from '@atrium/dev-server/system/start-system';
import { locateDatabases, locateObjectStore } from './databases.ts';
import { HELP, readSeedOptions, type SeedOptions } from './options.ts';
import { seedWorkspace } from './seed-workspace.ts';

const log = createLogStream();

const readOptions = (): SeedOptions => {
  try {
    return readSeedOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(64);
  }
};

const locateStores = (home: string) => ({
  databases: locateDatabases(home, process.env),
  store: locateObjectStore(home, process.env),
});

const startAndSeed = async (home: string, options: SeedOptions): Promise<void> => {
  const context = persistentContext(home, log);
  try {
    const system = await launchSystem({ context });
    await seedWorkspace(locateStores(home), options, log.print).finally(() => system.stop());
  } finally {
    await context.reaper.close();
  }
};

const seed = async (): Promise<void> => {
  const startedAt = Date.now();
  const options = readOptions();
  if (options.help) return log.print(HELP);
  const home = prepareHome();
  const release = await lockDataDir(home);
  try {
    if (release) await startAndSeed(home, options);
    else await seedWorkspace(locateStores(home), options, log.print);
    log.print(`Seeded in ${((Date.now() - startedAt) / 1000).toFixed(0)} s.`);
  } catch (error) {
    log.print(`\n${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    await release?.();
  }
  process.exit();
};

await seed();
