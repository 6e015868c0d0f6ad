import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForLock } from '../lock.mjs';
import type { LauncherContext } from './server.ts';

const removePartialBuilds = async (binDir: string, file: string): Promise<void> => {
  const partialNames = (await readdir(binDir)).filter((name) => name.startsWith(`${file}.building-`));
  for (const name of partialNames) await rm(join(binDir, name), { recursive: true, force: true });
};

/**
 * Returns the path of a cached program, after building it if necessary. The build runs in a folder next to the final
 * path and is then renamed, so an interrupted build leaves no partial program. A lock prevents concurrent builds.
 */
export const buildCached = async (
  { cache, listener }: LauncherContext,
  { server, file }: { server: string; file: string },
  build: (folder: string) => Promise<string>,
): Promise<string> => {
  const program = join(cache, 'bin', file);
  if (existsSync(program)) return program;
  await mkdir(join(cache, 'bin'), { recursive: true });
  const release = await waitForLock(`${program}.lock`, () =>
    listener.log(server, 'waiting: another launcher is preparing it'),
  );
  try {
    if (existsSync(program)) return program;
    await removePartialBuilds(join(cache, 'bin'), file);
    const folder = await mkdtemp(`${program}.building-`);
    try {
      await rename(await build(folder), program);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return program;
  } finally {
    await release();
  }
};
