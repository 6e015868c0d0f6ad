import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeControls } from '@atrium/service-kit/observability/logger';
import { CHECKOUT } from '../backing/launcher-context.ts';
import type { LauncherContext } from '../backing/server.ts';
import { waitForLock } from '../lock.mjs';
import { readLines } from '../process-manager/read-lines.ts';

const WEB = join(CHECKOUT, 'web');
// The stamp is inside the output folder, so that a manual build deletes it.
const STAMP = join(WEB, 'dist', '.stamp');
const SOURCES = [
  'web/src',
  'web/public',
  'web/build',
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'proto-events/src',
  'package-lock.json',
];

const listFiles = async (path: string): Promise<string[]> => {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (!entries) return existsSync(path) ? [path] : [];
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

const hashSources = async (): Promise<string> => {
  const files = (await Promise.all(SOURCES.map((source) => listFiles(join(CHECKOUT, source))))).flat().sort();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256');
  for (const [index, file] of files.entries()) hash.update(file.slice(CHECKOUT.length)).update(contents[index] ?? '');
  return hash.digest('hex');
};

const runVite = async ({ reaper, listener }: Pick<LauncherContext, 'reaper' | 'listener'>): Promise<void> => {
  const vite = join(CHECKOUT, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: WEB,
    detached: true,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid) reaper.add({ pid: child.pid, signal: 'SIGTERM', stopPhase: 0 });
  for (const output of [child.stdout, child.stderr])
    readLines(output, (line) => listener.line('web', escapeControls(line)));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (child.pid) reaper.remove(child.pid);
  if (code !== 0) throw new Error(`Failed to build the web app (vite ended with code ${code})`);
};

export const buildWeb = async (context: Pick<LauncherContext, 'reaper' | 'listener'>): Promise<void> => {
  const cache = join(CHECKOUT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const release = await waitForLock(join(cache, 'atrium-web.lock'), () =>
    context.listener.log('web', 'waiting: another process is building it'),
  );
  try {
    const sourcesHash = await hashSources();
    if ((await readFile(STAMP, 'utf8').catch(() => '')) === sourcesHash) return;
    const startedAt = Date.now();
    context.listener.log('web', 'building the web app');
    await runVite(context);
    await writeFile(STAMP, sourcesHash);
    context.listener.log('web', `built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  } finally {
    await release();
  }
};
