import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { volumesOf } from '../backing/container.ts';
import { dockerClient } from '../backing/providers/in-container.ts';
import { run } from '../backing/run.ts';
import { placeOutside } from '../backing/servers/unprivileged.ts';

/** Forgets every earlier start: data, ports and passwords. The caller holds the home's lock, which stays. */
export const resetHome = async (home: string): Promise<void> => {
  const entries = (await readdir(home)).filter((name) => !name.endsWith('.lock'));
  await Promise.all(entries.map((name) => rm(join(home, name), { recursive: true, force: true })));
  await rm(placeOutside(home), { recursive: true, force: true });
  const docker = await dockerClient();
  for (const volume of docker ? volumesOf(home) : []) {
    await run(docker ?? '', ['volume', 'rm', '--force', volume]).catch(() => undefined);
  }
};
