import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { messageOf, run } from '../run.ts';
import type { ProviderUnavailable, ServerProvider } from '../server.ts';

const way = 'on the PATH';

export const findOnPath = (name: string, path = process.env.PATH ?? ''): string | undefined => {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      // Debian's redis-server is a link to redis-check-rdb: such a program does what it is called by.
      const real = realpathSync(file);
      return basename(real) === name ? real : file;
    } catch {
      // not in this folder
    }
  }
  return undefined;
};

const isOlder = (version: string, least: string): boolean => {
  const [have, need] = [version, least].map((text) => text.split('.').map(Number));
  const difference = need?.map((part, index) => (have?.[index] ?? 0) - part).find((step) => step !== 0);
  return (difference ?? 0) < 0;
};

/** The version that a program tells, as numbers: "postgres (PostgreSQL) 15.18 (Debian …)" is 15.18. */
export const readVersion = (text: string): string | undefined => /(\d{1,9}(?:\.\d{1,9}){1,9})/.exec(text)?.[1];

export const checkVersion = async (
  file: string,
  flag: string,
  least?: string,
): Promise<{ version: string } | ProviderUnavailable> => {
  try {
    const version = readVersion(await run(file, [flag]));
    if (!version) return { way, why: `${file} does not tell its version` };
    if (least && isOlder(version, least))
      return { way, why: `${file} is version ${version}, at least ${least} is needed` };
    return { version };
  } catch (error) {
    return { way, why: `${file} does not run here: ${messageOf(error).split('\n').at(-1) ?? ''}` };
  }
};

interface PathOptions {
  names: string[];
  flag?: string;
  least?: string;
  /** Programs that must stand in the same folder. */
  beside?: string[];
}

/** A program that the machine has already, if it is new enough. */
export const onPath =
  ({ names, flag = '--version', least, beside = [] }: PathOptions): ServerProvider =>
  async ({ env }) => {
    const file = names.map((name) => findOnPath(name, env.PATH)).find((found) => found !== undefined);
    if (!file) return { way, why: `no ${names.join(' or ')} there` };
    const missing = beside.find((name) => !findOnPath(name, join(file, '..')));
    if (missing) return { way, why: `${file} has no ${missing} beside it` };
    const checked = await checkVersion(file, flag, least);
    return 'why' in checked ? checked : { way, file, version: checked.version };
  };
