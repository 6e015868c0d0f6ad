import { persistentContext, prepareHome } from '@atrium/dev-server/backing/launcher-context';
import { createLogStream } from '@atrium/dev-server/console/log-stream';
import { lockDataDir } from '@atrium/dev-server/start/launcher-record';
import { launchSystem } from '@atrium/dev-server/system/start-system';
import { databasesOf, objectsOf } from './databases.ts';
import { HELP, readSeedOptions, type SeedOptions } from './options.ts';
import { seedWorkspace } from './seed-workspace.ts';

const log = createLogStream();

const options = (): SeedOptions => {
  try {
    return readSeedOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(64);
  }
};

const locateStores = (home: string) => ({
  databases: databasesOf(home, process.env),
  store: objectsOf(home, process.env),
});

const seedStarted = async (home: string, chosen: SeedOptions): Promise<void> => {
  const context = persistentContext(home, log);
  try {
    const system = await launchSystem({ context });
    await seedWorkspace(locateStores(home), chosen, log.print).finally(() => system.stop());
  } finally {
    await context.reaper.close();
  }
};

const seed = async (): Promise<void> => {
  const startedAt = Date.now();
  const chosen = options();
  if (chosen.help) return log.print(HELP);
  const home = prepareHome();
  const release = await lockDataDir(home);
  try {
    if (release) await seedStarted(home, chosen);
    else await seedWorkspace(locateStores(home), chosen, log.print);
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
