import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGuard } from '../supervise/guard.ts';
import type { PartListener } from '../supervise/part.ts';
import { createPorts } from '../supervise/ports.ts';
import { createSecrets } from '../supervise/secrets.ts';
import type { Toolbox } from './server.ts';

export const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** Where a launcher of this checkout keeps data, ports and secrets. */
export const homeFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  resolve(CHECKOUT, env.ATRIUM_HOME || '.atrium');

export const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'atrium');

// Others may pass through (PostgreSQL runs as an account of its own when root starts it) and read nothing.
const openFolder = (folder: string): void => chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);

const fill = (home: string, listener: PartListener, durable: boolean): Omit<Toolbox, 'address'> => ({
  env: process.env,
  home,
  cache: cacheFolder(),
  ports: createPorts(join(home, 'ports.json')),
  secrets: createSecrets(join(home, 'secrets.json')),
  guard: createGuard(),
  listener,
  durable,
});

/** Makes the folder of a start that keeps its data, and answers its path. */
export const openHome = (): string => {
  const home = homeFolder();
  mkdirSync(home, { recursive: true });
  openFolder(home);
  return home;
};

/** For a start that keeps its data in that folder. */
export const lastingToolbox = (home: string, listener: PartListener): Omit<Toolbox, 'address'> =>
  fill(home, listener, true);

/** For a test run: a home that goes with the process, however it ends, and servers that need not survive a power cut. */
export const passingToolbox = (listener: PartListener): Omit<Toolbox, 'address'> => {
  const home = mkdtempSync(join(tmpdir(), 'atrium-test-'));
  openFolder(home);
  const toolbox = fill(home, listener, false);
  toolbox.guard.addFolder(home);
  return toolbox;
};
