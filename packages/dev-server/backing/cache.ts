import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForLock } from '../lock.mjs';
import type { LauncherContext } from './server.ts';

const removePartialBuilds = async (bin: string, file: string): Promise<void> => {
  const partial = (await readdir(bin)).filter((name) => name.startsWith(`${file}.making-`));
  for (const half of partial) await rm(join(bin, half), { recursive: true, force: true });
};

/**
 * Built in a folder next to the final path and renamed, so an interrupted build leaves no partial program. A
 * lock prevents concurrent builds.
 */
export const cached = async (
  { cache, listener }: LauncherContext,
  { server, file }: { server: string; file: string },
  make: (folder: string) => Promise<string>,
): Promise<string> => {
  const program = join(cache, 'bin', file);
  if (existsSync(program)) return program;
  await mkdir(join(cache, 'bin'), { recursive: true });
  const release = await waitForLock(`${program}.lock`, () =>
    listener.say(server, 'waiting: another launcher is preparing it'),
  );
  try {
    if (existsSync(program)) return program;
    await removePartialBuilds(join(cache, 'bin'), file);
    const folder = await mkdtemp(`${program}.making-`);
    try {
      await rename(await make(folder), program);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return program;
  } finally {
    await release();
  }
};
