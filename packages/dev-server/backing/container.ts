import { createHash, randomBytes } from 'node:crypto';
import type { ProcessSpec } from '../process-manager/managed-process.ts';
import { type LauncherContext, type Program, serverNames } from './server.ts';

interface ContainerOptions {
  name: string;
  ports: Record<number, number>;
  data?: string;
  env?: Record<string, string>;
  args?: string[];
}

const hashHome = (home: string): string => createHash('sha256').update(home).digest('hex').slice(0, 10);

export const listVolumes = (home: string): string[] => serverNames.map((name) => `atrium-${hashHome(home)}-${name}`);

export const containerProcess = (
  program: Program,
  context: Pick<LauncherContext, 'home' | 'durable'>,
  options: ContainerOptions,
): Pick<ProcessSpec, 'file' | 'args' | 'env' | 'cleanup'> => {
  const homeHash = hashHome(context.home);
  const container = `atrium-${homeHash}-${options.name}-${randomBytes(3).toString('hex')}`;
  const portArgs = Object.entries(options.ports).flatMap(([hostPort, containerPort]) => [
    '-p',
    `127.0.0.1:${hostPort}:${containerPort}`,
  ]);
  // A named volume keeps data between starts; a test run uses an anonymous one that is removed with the container.
  const volumeArgs =
    options.data && context.durable ? ['-v', `atrium-${homeHash}-${options.name}:${options.data}`] : [];
  // Values go through the client's environment, so that passwords do not appear in process lists.
  const envArgs = Object.keys(options.env ?? {}).flatMap((name) => ['-e', name]);
  return {
    file: program.file,
    args: [
      'run',
      '--rm',
      '--name',
      container,
      ...portArgs,
      ...volumeArgs,
      ...envArgs,
      program.image ?? '',
      ...(options.args ?? []),
    ],
    env: { ...process.env, ...options.env },
    cleanup: [program.file, 'rm', '--force', '--volumes', container],
  };
};
