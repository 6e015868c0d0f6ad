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

export const getCacheDir = (): string => envPaths('atrium', { suffix: '' }).cache;

// Other accounts can traverse the folder but not list it: if root starts PostgreSQL, it runs under a separate account.
const allowTraversal = (folder: string): void => chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);

const createContext = (
  home: string,
  listener: ProcessListener,
  durable: boolean,
): Omit<LauncherContext, 'address'> => ({
  env: process.env,
  home,
  cache: getCacheDir(),
  ports: createPorts(join(home, 'ports.json')),
  secrets: createSecrets(join(home, 'secrets.json')),
  reaper: createReaperClient(),
  listener,
  durable,
});

// If root starts PostgreSQL, its account needs access to these entries; PostgreSQL sets the mode of its data folder.
const POSTGRES_ENTRY = /^(postgres|program)-/;

const restrictEntries = (home: string): void => {
  for (const entry of readdirSync(home, { withFileTypes: true })) {
    if (POSTGRES_ENTRY.test(entry.name) || entry.isSymbolicLink()) continue;
    chmodSync(join(home, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
};

/** Creates the home folder, and makes it and all files that this process creates private to this account. */
export const prepareHome = (): string => {
  process.umask(0o077);
  const home = dataDir();
  mkdirSync(home, { recursive: true });
  allowTraversal(home);
  restrictEntries(home);
  return home;
};

export const persistentContext = (home: string, listener: ProcessListener): Omit<LauncherContext, 'address'> =>
  createContext(home, listener, true);

/**
 * Creates a context whose home folder is removed when the process ends, and whose servers need not survive a power
 * failure. `prepareDataDir` can copy the data of a previous run into the home folder.
 */
export const ephemeralContext = (
  listener: ProcessListener,
  prepareDataDir: (home: string) => void = () => undefined,
): Omit<LauncherContext, 'address'> => {
  const home = mkdtempSync(join(tmpdir(), 'atrium-test-'));
  allowTraversal(home);
  prepareDataDir(home);
  const context = createContext(home, listener, false);
  context.reaper.addFolder(home);
  return context;
};
