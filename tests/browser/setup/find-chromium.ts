import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import sparticuz from '@sparticuz/chromium';

/** A Chromium on this machine; `where` describes its origin. */
export type FoundBrowser = { file: string; version: string; where: string };

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** The version in a browser's output; a distribution's wrapper may print more. */
export const versionIn = (printed: string): string | undefined => /\b\d+(?:\.\d+){3}\b/.exec(printed)?.[0];

export const isNewer = (version: string, other: string): boolean => {
  const [a, b] = [version, other].map((text) => text.split('.').map(Number));
  const index = (a ?? []).findIndex((part, position) => part !== b?.[position]);
  return index >= 0 && (a?.[index] ?? 0) > (b?.[index] ?? 0);
};

async function look(file: string, where: string): Promise<FoundBrowser | undefined> {
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

/** `CHROMIUM_PATH` if set; otherwise the newest of those on the PATH and in an npm package. */
export async function findChromium(): Promise<FoundBrowser> {
  const path = process.env.CHROMIUM_PATH;
  if (path) {
    const found = await look(path, 'CHROMIUM_PATH');
    if (!found) throw new Error(`CHROMIUM_PATH is ${path}, which does not print its version`);
    return found;
  }
  const bundled = sparticuz.executablePath().then((file) => look(file, 'bundled'));
  const found = await Promise.all([bundled.catch(() => undefined), ...onPath().map((file) => look(file, 'PATH'))]);
  const [first, ...others] = found.filter((browser) => browser !== undefined);
  if (!first) throw new Error('No Chromium found. Put one on the PATH or set CHROMIUM_PATH.');
  return others.reduce((best, browser) => (isNewer(browser.version, best.version) ? browser : best), first);
}
