import { createHash, randomBytes } from 'node:crypto';
import type { PartSpec } from '../process-manager/managed-process.ts';
import { type LauncherContext, type Program, serverNames } from './server.ts';

interface ContainerOptions {
  name: string;
  /** Ports inside, by the port outside; outside means loopback. */
  ports: Record<number, number>;
  /** Where the image keeps its data. */
  data?: string;
  env?: Record<string, string>;
  args?: string[];
}

const nameOf = (home: string): string => createHash('sha256').update(home).digest('hex').slice(0, 10);

/** The volumes in which containers of this home keep their data. */
export const volumesOf = (home: string): string[] => serverNames.map((name) => `atrium-${nameOf(home)}-${name}`);

/** How a server runs in a container that lives as long as the client which the launcher holds. */
export const containerPart = (
  program: Program,
  toolbox: Pick<LauncherContext, 'home' | 'durable'>,
  options: ContainerOptions,
): Pick<PartSpec, 'file' | 'args' | 'env' | 'cleanup'> => {
  const checkout = nameOf(toolbox.home);
  const container = `atrium-${checkout}-${options.name}-${randomBytes(3).toString('hex')}`;
  const published = Object.entries(options.ports).flatMap(([outside, inside]) => [
    '-p',
    `127.0.0.1:${outside}:${inside}`,
  ]);
  // A named volume keeps the data between starts; a test run lets the engine drop it together with the container.
  const volume = options.data && toolbox.durable ? ['-v', `atrium-${checkout}-${options.name}:${options.data}`] : [];
  // Values go by the environment of the client, so that no password shows in a list of processes.
  const variables = Object.keys(options.env ?? {}).flatMap((name) => ['-e', name]);
  return {
    file: program.file,
    args: [
      'run',
      '--rm',
      '--name',
      container,
      ...published,
      ...volume,
      ...variables,
      program.image ?? '',
      ...(options.args ?? []),
    ],
    env: { ...process.env, ...options.env },
    cleanup: [program.file, 'rm', '--force', '--volumes', container],
  };
};
