import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LauncherContext } from '../server.ts';

export interface Account {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, so root lets it run as an account that every Unix has. */
export const unprivilegedAccount = async (): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const line = ['postgres', 'nobody'].map((name) => lines.find(([found]) => found === name)).find((found) => found);
  if (!line)
    throw new Error('PostgreSQL does not run as root, and this machine has no account "postgres" or "nobody" for it');
  return { uid: Number(line[2]), gid: Number(line[3]) };
};

/** Whether an account without rights of its own can get into a folder. */
const isOpen = async (folder: string): Promise<boolean> => {
  for (let path = folder; ; path = dirname(path)) {
    const mode = (await stat(path)).mode;
    if ((mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
};

/** Where data goes that cannot stay in a home. */
export const placeOutside = (home: string): string =>
  join('/var/lib', `atrium-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`);

/**
 * A place for a server's data that its account can reach: the launcher's own folder, or, where root keeps the checkout in
 * a folder closed to others (such as /root), one of this checkout below /var/lib.
 */
export const reachablePlace = async (
  { home, durable, guard, listener }: LauncherContext,
  account: Account | undefined,
): Promise<string> => {
  if (!account || (await isOpen(home))) return home;
  const place = placeOutside(home);
  listener.say('postgres', `keeps its data in ${place}: it runs as an account that cannot get into ${home}`);
  await mkdir(place, { recursive: true });
  await chmod(place, 0o711);
  if (!durable) guard.addFolder(place);
  return place;
};

/** A program that the account can run: the one given, or a copy of its whole folder in a place that it reaches. */
export const reachableProgram = async (file: string, place: string, account: Account | undefined): Promise<string> => {
  const root = join(dirname(file), '..');
  if (!account || (await isOpen(dirname(file)))) return file;
  const stamp = createHash('sha256').update(file).digest('hex').slice(0, 12);
  const copy = join(place, `program-${stamp}`);
  if (!existsSync(copy)) {
    // Made beside its place and renamed, so that an interrupted copy is never taken for a whole one.
    await rm(`${copy}.making`, { recursive: true, force: true });
    await cp(root, `${copy}.making`, { recursive: true, verbatimSymlinks: true });
    await rename(`${copy}.making`, copy);
  }
  return join(copy, 'bin', file.slice(dirname(file).length + 1));
};
