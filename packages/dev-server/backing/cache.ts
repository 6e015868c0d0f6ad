import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForLock } from '../lock.mjs';
import type { LauncherContext } from './server.ts';

/** What a launcher that was killed while it made this program has left; the caller holds the lock. */
const removeHalves = async (bin: string, file: string): Promise<void> => {
  const halves = (await readdir(bin)).filter((name) => name.startsWith(`${file}.making-`));
  for (const half of halves) await rm(join(bin, half), { recursive: true, force: true });
};

/**
 * A program in the user's cache, made at the first need. It is made in a folder beside its place and moved there in one
 * step, so a launcher that is killed half-way leaves no half a program; a lock keeps a second launcher from making it twice.
 */
export const cached = async (
  { cache, listener }: LauncherContext,
  { server, file }: { server: string; file: string },
  make: (folder: string) => Promise<string>,
): Promise<string> => {
  const place = join(cache, 'bin', file);
  if (existsSync(place)) return place;
  await mkdir(join(cache, 'bin'), { recursive: true });
  const release = await waitForLock(`${place}.lock`, () =>
    listener.say(server, 'waits: another start is preparing it'),
  );
  try {
    if (existsSync(place)) return place;
    await removeHalves(join(cache, 'bin'), file);
    const folder = await mkdtemp(`${place}.making-`);
    try {
      await rename(await make(folder), place);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return place;
  } finally {
    await release();
  }
};
