import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { getErrorMessage, run } from '../run.ts';
import type { ProviderUnavailable, ServerProvider } from '../server.ts';

const provider = 'path';

export const findOnPath = (name: string, path = process.env.PATH ?? ''): string | undefined => {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      // Debian's redis-server is a symlink to redis-check-rdb, which acts according to its name, so it stays
      // unresolved.
      const real = realpathSync(file);
      return basename(real) === name ? real : file;
    } catch {
      // The program is not in this folder.
    }
  }
  return undefined;
};

const isOlder = (version: string, minVersion: string): boolean => {
  const parts = version.split('.').map(Number);
  const minParts = minVersion.split('.').map(Number);
  const difference = minParts.map((minPart, index) => (parts[index] ?? 0) - minPart).find((step) => step !== 0);
  return (difference ?? 0) < 0;
};

/** Finds the version number in a program's output: 15.18 in "postgres (PostgreSQL) 15.18 (Debian …)". */
const readVersion = (text: string): string | undefined => /(\d{1,9}(?:\.\d{1,9}){1,9})/.exec(text)?.[1];

export const checkVersion = async (
  file: string,
  flag: string,
  minVersion?: string,
): Promise<{ version: string } | ProviderUnavailable> => {
  try {
    const version = readVersion(await run(file, [flag]));
    if (!version) return { provider, reason: `${file} prints no version` };
    if (minVersion && isOlder(version, minVersion))
      return { provider, reason: `${file} is version ${version}; version ${minVersion} or later is required` };
    return { version };
  } catch (error) {
    return {
      provider,
      reason: `${file} does not run on this machine: ${getErrorMessage(error).split('\n').at(-1) ?? ''}`,
    };
  }
};

interface PathOptions {
  names: string[];
  flag?: string;
  minVersion?: string;
  siblingPrograms?: string[];
}

export const onPath =
  ({ names, flag = '--version', minVersion, siblingPrograms = [] }: PathOptions): ServerProvider =>
  async ({ env }) => {
    const file = names.map((name) => findOnPath(name, env.PATH)).find((path) => path !== undefined);
    if (!file) return { provider, reason: `${names.join(' or ')} was not found` };
    const missing = siblingPrograms.find((name) => !findOnPath(name, join(file, '..')));
    if (missing) return { provider, reason: `${missing} is missing next to ${file}` };
    const checked = await checkVersion(file, flag, minVersion);
    return 'reason' in checked ? checked : { provider, file, version: checked.version };
  };
