import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LauncherContext } from '../server.ts';

export interface Account {
  uid: number;
  gid: number;
}

/** Returns the account that PostgreSQL runs under if root starts it, because it does not run as root. */
export const unprivilegedAccount = async (): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const line = ['postgres', 'nobody'].map((name) => lines.find(([account]) => account === name)).find((entry) => entry);
  if (!line)
    throw new Error('PostgreSQL does not run as root, and this machine has neither an account "postgres" nor "nobody"');
  return { uid: Number(line[2]), gid: Number(line[3]) };
};

const isTraversable = async (folder: string): Promise<boolean> => {
  for (let path = folder; ; path = dirname(path)) {
    const mode = (await stat(path)).mode;
    if ((mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
};

export const externalDataDir = (home: string): string =>
  join('/var/lib', `atrium-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`);

/**
 * Returns the home folder, or, if root keeps the checkout in a private folder such as /root, a folder for this checkout
 * below /var/lib.
 */
export const accessibleDataDir = async (
  { home, durable, reaper, listener }: LauncherContext,
  account: Account | undefined,
): Promise<string> => {
  if (!account || (await isTraversable(home))) return home;
  const folder = externalDataDir(home);
  listener.log('postgres', `stores its data in ${folder}, because its account cannot access ${home}`);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o711);
  if (!durable) reaper.addFolder(folder);
  return folder;
};

export const accessibleProgram = async (
  file: string,
  folder: string,
  account: Account | undefined,
): Promise<string> => {
  const root = join(dirname(file), '..');
  if (!account || (await isTraversable(dirname(file)))) return file;
  const pathHash = createHash('sha256').update(file).digest('hex').slice(0, 12);
  const copy = join(folder, `program-${pathHash}`);
  if (!existsSync(copy)) {
    // The copy is renamed when it is complete, so that an interrupted one is never used.
    await rm(`${copy}.making`, { recursive: true, force: true });
    await cp(root, `${copy}.making`, { recursive: true, verbatimSymlinks: true });
    await rename(`${copy}.making`, copy);
  }
  return join(copy, 'bin', file.slice(dirname(file).length + 1));
};
