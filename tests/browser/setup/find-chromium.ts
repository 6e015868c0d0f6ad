import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import sparticuz from '@sparticuz/chromium';

export type FoundBrowser = {
  file: string;
  version: string;
  /** Describes where it was found. */
  where: string;
};

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** Returns the version in a browser's output. A distribution's wrapper may print more. */
export const versionIn = (output: string): string | undefined => /\b\d+(?:\.\d+){3}\b/.exec(output)?.[0];

export const isNewer = (version: string, other: string): boolean => {
  const [a, b] = [version, other].map((text) => text.split('.').map(Number));
  const index = (a ?? []).findIndex((part, position) => part !== b?.[position]);
  return index >= 0 && (a?.[index] ?? 0) > (b?.[index] ?? 0);
};

async function readVersion(file: string, where: string): Promise<FoundBrowser | undefined> {
  // stderr does not contain the version.
  const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 30_000 }).catch(() => ({ stdout: '' }));
  const version = versionIn(stdout);
  return version ? { file, version, where } : undefined;
}

const onPath = (): string[] =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .filter((file) => existsSync(file));

/** Returns the browser at `CHROMIUM_PATH` if set; otherwise the newest one on the PATH or in an npm package. */
export async function findChromium(): Promise<FoundBrowser> {
  const path = process.env.CHROMIUM_PATH;
  if (path) {
    const browser = await readVersion(path, 'CHROMIUM_PATH');
    if (!browser) throw new Error(`CHROMIUM_PATH is ${path}, which does not print its version`);
    return browser;
  }
  const bundled = sparticuz.executablePath().then((file) => readVersion(file, 'bundled'));
  const browser = await Promise.all([
    bundled.catch(() => undefined),
    ...onPath().map((file) => readVersion(file, 'PATH')),
  ]);
  const [first, ...others] = browser.filter((browser) => browser !== undefined);
  if (!first) throw new Error('No Chromium found. Put one on the PATH or set CHROMIUM_PATH.');
  return others.reduce((best, browser) => (isNewer(browser.version, best.version) ? browser : best), first);
}
