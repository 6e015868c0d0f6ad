import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { volumesOf } from '../backing/container.ts';
import { dockerClient } from '../backing/providers/in-container.ts';
import { run } from '../backing/run.ts';
import { externalDataDir } from '../backing/servers/unprivileged.ts';

/** Deletes data, ports, and passwords of earlier starts. The caller holds the lock of the folder, which stays. */
export const resetHome = async (home: string): Promise<void> => {
  const entries = (await readdir(home)).filter((name) => !name.endsWith('.lock'));
  await Promise.all(entries.map((name) => rm(join(home, name), { recursive: true, force: true })));
  await rm(externalDataDir(home), { recursive: true, force: true });
  const docker = await dockerClient();
  for (const volume of docker ? volumesOf(home) : []) {
    await run(docker ?? '', ['volume', 'rm', '--force', volume]).catch(() => undefined);
  }
};
