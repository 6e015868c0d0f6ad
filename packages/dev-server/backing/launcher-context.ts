import { chmodSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import envPaths from 'env-paths';
import type { ProcessListener } from '../process-manager/managed-process.ts';
import { createPorts } from '../process-manager/ports.ts';
import { createReaperClient } from '../process-manager/reaper-client.ts';
import { createSecrets } from '../process-manager/secrets.ts';
import type { LauncherContext } from './server.ts';

export const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

export const dataDir = (env: NodeJS.ProcessEnv = process.env): string =>
  resolve(CHECKOUT, env.ATRIUM_HOME || '.atrium');

export const cacheFolder = (): string => envPaths('atrium', { suffix: '' }).cache;

// Other accounts may traverse the folder but not list it: PostgreSQL runs as a separate account when root starts it.
const openFolder = (folder: string): void => chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);

const fill = (home: string, listener: ProcessListener, durable: boolean): Omit<LauncherContext, 'address'> => ({
  env: process.env,
  home,
  cache: cacheFolder(),
  ports: createPorts(join(home, 'ports.json')),
  secrets: createSecrets(join(home, 'secrets.json')),
  reaper: createReaperClient(),
  listener,
  durable,
});

// PostgreSQL's account needs access to these if root starts it; the data folder has its own mode.
const OF_POSTGRES = /^(postgres|program)-/;

const closeEntries = (home: string): void => {
  for (const entry of readdirSync(home, { withFileTypes: true })) {
    if (OF_POSTGRES.test(entry.name) || entry.isSymbolicLink()) continue;
    chmodSync(join(home, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
};

/** Files created from now on are private to this account. */
export const openHome = (): string => {
  process.umask(0o077);
  const home = dataDir();
  mkdirSync(home, { recursive: true });
  openFolder(home);
  closeEntries(home);
  return home;
};

export const persistentContext = (home: string, listener: ProcessListener): Omit<LauncherContext, 'address'> =>
  fill(home, listener, true);

/**
 * The home folder is removed with the process, and servers need not survive a power failure. `prepareDataDir`
 * may copy data of an earlier start into the home folder.
 */
export const ephemeralContext = (
  listener: ProcessListener,
  prepareDataDir: (home: string) => void = () => undefined,
): Omit<LauncherContext, 'address'> => {
  const home = mkdtempSync(join(tmpdir(), 'atrium-test-'));
  openFolder(home);
  prepareDataDir(home);
  const context = fill(home, listener, false);
  context.reaper.addFolder(home);
  return context;
};
