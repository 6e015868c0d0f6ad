import { chmodSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import envPaths from 'env-paths';
import type { ProcessListener } from '../process-manager/managed-process.ts';
import { createPorts } from '../process-manager/ports.ts';
import { createGuard } from '../process-manager/reaper-client.ts';
import { createSecrets } from '../process-manager/secrets.ts';
import type { LauncherContext } from './server.ts';

export const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** Where a launcher of this checkout keeps data, ports and secrets. */
export const dataDir = (env: NodeJS.ProcessEnv = process.env): string =>
  resolve(CHECKOUT, env.ATRIUM_HOME || '.atrium');

/** Where the system keeps what can be had again: `~/.cache/atrium` on Linux. */
export const cacheFolder = (): string => envPaths('atrium', { suffix: '' }).cache;

// Others may pass through (PostgreSQL runs as an account of its own when root starts it) and read nothing.
const openFolder = (folder: string): void => chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);

const fill = (home: string, listener: ProcessListener, durable: boolean): Omit<LauncherContext, 'address'> => ({
  env: process.env,
  home,
  cache: cacheFolder(),
  ports: createPorts(join(home, 'ports.json')),
  secrets: createSecrets(join(home, 'secrets.json')),
  guard: createGuard(),
  listener,
  durable,
});

// PostgreSQL's own account must get at these, where root starts it; its data is closed by itself.
const OF_POSTGRES = /^(postgres|program)-/;

/** Closes to others what an earlier launcher has left open. */
const closeEntries = (home: string): void => {
  for (const entry of readdirSync(home, { withFileTypes: true })) {
    if (OF_POSTGRES.test(entry.name) || entry.isSymbolicLink()) continue;
    chmodSync(join(home, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
};

/** Makes the folder of a start that keeps its data, and answers its path. What this process makes from now on is closed to others. */
export const openHome = (): string => {
  process.umask(0o077);
  const home = dataDir();
  mkdirSync(home, { recursive: true });
  openFolder(home);
  closeEntries(home);
  return home;
};

/** For a start that keeps its data in that folder. */
export const persistentContext = (home: string, listener: ProcessListener): Omit<LauncherContext, 'address'> =>
  fill(home, listener, true);

/**
 * For a test run: a home that goes with the process, however it ends, and servers that need not survive a power cut. `furnish` may
 * put an earlier start's data into the home.
 */
export const ephemeralContext = (
  listener: ProcessListener,
  furnish: (home: string) => void = () => undefined,
): Omit<LauncherContext, 'address'> => {
  const home = mkdtempSync(join(tmpdir(), 'atrium-test-'));
  openFolder(home);
  furnish(home);
  const toolbox = fill(home, listener, false);
  toolbox.guard.addFolder(home);
  return toolbox;
};
