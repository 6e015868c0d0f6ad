import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '@atrium/dev-server/backing/launcher-context';

const execute = promisify(execFile);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const REQUIREMENTS = here('./reference-parser-requirements.txt');

// A wheel is a zip, and whoever has pip has Python's own unzipper.
const UNPACK =
  'import glob, sys, zipfile; [zipfile.ZipFile(one).extractall(sys.argv[1]) for one in glob.glob(sys.argv[1] + "/*.whl")]';

export type Verdict = { isJudged: true; isGood: boolean; words: string } | { isJudged: false; why: string };

/** What the library icalendar of PyPI says of the files in output/calendars; or why it could not be asked. */
export async function askSecondParser(): Promise<Verdict> {
  let library: string;
  try {
    library = await fetchLibrary();
  } catch (error) {
    return {
      isJudged: false,
      why: `icalendar of PyPI cannot be had, for which python3 with pip is needed: ${lastLine(error)}`,
    };
  }
  const env = { PATH: process.env.PATH ?? '', PYTHONPATH: library };
  return execute('python3', [here('./reference-parser.py')], { env, maxBuffer: 10_000_000 }).then(
    ({ stdout }) => ({ isJudged: true, isGood: true, words: stdout }),
    (error: Error & { stdout?: string }) => ({ isJudged: true, isGood: false, words: error.stdout || error.message }),
  );
}

/** Its wheels in the user's cache, for each set of pinned versions: nothing is installed, so that a Python that others manage will do. */
async function fetchLibrary(): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 12);
  const place = join(cacheFolder(), `icalendar-${digest}`);
  if (existsSync(place)) return place;
  await mkdir(cacheFolder(), { recursive: true });
  const folder = await mkdtemp(`${place}.making-`);
  try {
    const choice = ['--quiet', '--no-deps', '--require-hashes', '--only-binary', ':all:', '--dest', folder];
    await execute('python3', ['-m', 'pip', 'download', ...choice, '--requirement', REQUIREMENTS], { timeout: 120_000 });
    await execute('python3', ['-c', UNPACK, folder], { timeout: 60_000 });
    // Whoever comes second finds it there.
    await rename(folder, place).catch((error: unknown) => {
      if (!existsSync(place)) throw error;
    });
    return place;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const lastLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? '';
