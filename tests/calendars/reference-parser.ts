import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getCacheDir } from '@atrium/dev-server/backing/launcher-context';

const execute = promisify(execFile);
const toPath = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const REQUIREMENTS = toPath('./reference-parser-requirements.txt');

// A wheel is a zip file, which Python can extract without pip.
const UNPACK =
  'import glob, sys, zipfile; [zipfile.ZipFile(wheel).extractall(sys.argv[1]) for wheel in glob.glob(sys.argv[1] + "/*.whl")]';

export type ParserResult =
  | { isChecked: true; hasPassed: boolean; output: string }
  | { isChecked: false; reason: string };

/** Checks the files in output/calendars with the library icalendar from PyPI, or returns why it is unavailable. */
export async function runReferenceParser(): Promise<ParserResult> {
  let library: string;
  try {
    library = await fetchLibrary();
  } catch (error) {
    return {
      isChecked: false,
      reason: `icalendar from PyPI is unavailable; it needs python3 with pip: ${lastLine(error)}`,
    };
  }
  const env = { PATH: process.env.PATH ?? '', PYTHONPATH: library };
  return execute('python3', [toPath('./reference-parser.py')], { env, maxBuffer: 10_000_000 }).then(
    ({ stdout }) => ({ isChecked: true, hasPassed: true, output: stdout }),
    (error: Error & { stdout?: string }) => ({
      isChecked: true,
      hasPassed: false,
      output: error.stdout || error.message,
    }),
  );
}

/**
 * Downloads the library to the user's cache, to one folder per set of pinned versions. It is not installed, so that
 * this also works with a managed Python.
 */
async function fetchLibrary(): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 12);
  const targetDir = join(getCacheDir(), `icalendar-${digest}`);
  if (existsSync(targetDir)) return targetDir;
  await mkdir(getCacheDir(), { recursive: true });
  const stagingDir = await mkdtemp(`${targetDir}.staging-`);
  try {
    const options = ['--quiet', '--no-deps', '--require-hashes', '--only-binary', ':all:', '--dest', stagingDir];
    await execute('python3', ['-m', 'pip', 'download', ...options, '--requirement', REQUIREMENTS], {
      timeout: 120_000,
    });
    await execute('python3', ['-c', UNPACK, stagingDir], { timeout: 60_000 });
    // A concurrent run may have created the folder first.
    await rename(stagingDir, targetDir).catch((error: unknown) => {
      if (!existsSync(targetDir)) throw error;
    });
    return targetDir;
  } finally {
    await rm(stagingDir, { recursive: true, force: true });
  }
}

const lastLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? '';
