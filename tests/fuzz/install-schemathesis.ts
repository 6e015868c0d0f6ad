import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getCacheDir } from '@atrium/dev-server/backing/launcher-context';

const execute = promisify(execFile);
const REQUIREMENTS = fileURLToPath(new URL('./requirements.txt', import.meta.url));

/**
 * Installs schemathesis into a virtual environment in the user's cache, one per set of pinned versions, and returns the
 * path of the program.
 */
export async function installSchemathesis(print: (line: string) => void): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 12);
  const targetDir = join(getCacheDir(), `schemathesis-${digest}`);
  const program = join(targetDir, 'bin', 'st');
  if (existsSync(join(targetDir, 'complete'))) return program;
  print('Installing schemathesis from PyPI …');
  await rm(targetDir, { recursive: true, force: true });
  await mkdir(getCacheDir(), { recursive: true });
  await execute('python3', ['-m', 'venv', targetDir]).catch((error: unknown) => {
    throw new Error(`npm run test:fuzz needs Python 3.10 or newer with its module venv: ${lastLine(error)}`);
  });
  const pipArgs = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--requirement', REQUIREMENTS];
  await execute(join(targetDir, 'bin', 'python'), pipArgs, { maxBuffer: 10_000_000 }).catch((error: unknown) => {
    throw new Error(`Failed to download schemathesis from PyPI; check the network connection. ${lastLine(error)}`);
  });
  // Marks a complete installation. Without this mark, the installation is repeated.
  await mkdir(join(targetDir, 'complete'));
  return program;
}

const lastLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? '';
