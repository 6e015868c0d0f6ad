import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '@atrium/dev-server/backing/launcher-context';

const execute = promisify(execFile);
const REQUIREMENTS = fileURLToPath(new URL('./requirements.txt', import.meta.url));

/** Python 3 with schemathesis, in an environment of its own in the user's cache: one for each set of pinned versions. Answers the program. */
export async function installSchemathesis(say: (line: string) => void): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 12);
  const place = join(cacheFolder(), `schemathesis-${digest}`);
  const program = join(place, 'bin', 'st');
  if (existsSync(join(place, 'whole'))) return program;
  say('Installing schemathesis from PyPI …');
  await rm(place, { recursive: true, force: true });
  await mkdir(cacheFolder(), { recursive: true });
  await execute('python3', ['-m', 'venv', place]).catch((error: unknown) => {
    throw new Error(`npm run test:fuzz needs Python 3.10 or newer with its module venv: ${lastLine(error)}`);
  });
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--requirement', REQUIREMENTS];
  await execute(join(place, 'bin', 'python'), pip, { maxBuffer: 10_000_000 }).catch((error: unknown) => {
    throw new Error(`schemathesis could not be fetched from PyPI; is there a network? ${lastLine(error)}`);
  });
  // An installation that was interrupted has no such folder, and is made anew.
  await mkdir(join(place, 'whole'));
  return program;
}

const lastLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? '';
