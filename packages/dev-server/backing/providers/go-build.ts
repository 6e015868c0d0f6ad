import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapeControls } from '@atrium/service-kit/observability/logger';
import { readLines } from '../../process-manager/read-lines.ts';
import { buildCached } from '../cache.ts';
import { getErrorMessage } from '../run.ts';
import type { LauncherContext, ServerProvider } from '../server.ts';
import { findOnPath } from './on-path.ts';

const MAX_CONCURRENT_BUILDS = 2;
const queue: (() => void)[] = [];
let runningBuilds = 0;

const limitConcurrency = async <T>(build: () => Promise<T>): Promise<T> => {
  while (runningBuilds >= MAX_CONCURRENT_BUILDS) await new Promise<void>((resolve) => queue.push(resolve));
  runningBuilds += 1;
  try {
    return await build();
  } finally {
    runningBuilds -= 1;
    queue.shift()?.();
  }
};

const provider = 'go-build';
const REPORT_INTERVAL_MS = 5_000;

interface GoProgram {
  server: string;
  /** The folder below packages/dev-server/go that contains the pinned go.mod and go.sum. */
  folder: string;
  module: string;
  target: string;
}

const pinnedVersion = async (source: string, module: string): Promise<string> => {
  const manifest = await readFile(join(source, 'go.mod'), 'utf8');
  const line = manifest.split('\n').find((text) =>
    text
      .trim()
      .replace(/^require /, '')
      .startsWith(`${module} v`),
  );
  return line?.split(' v').at(-1)?.split(' ')[0] ?? 'unknown';
};

/** Hashes all build inputs in this repository, so that a changed pin or main.go triggers a build. */
const hashSources = async (source: string): Promise<string> => {
  const hash = createHash('sha256');
  for (const name of (await readdir(source)).sort()) hash.update(await readFile(join(source, name)));
  return hash.digest('hex').slice(0, 8);
};

// Go must neither download a different toolchain nor change pins. A writable module cache can be deleted.
const goEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  GOTOOLCHAIN: 'local',
  GOFLAGS: '-buildvcs=false -mod=readonly -modcacherw',
  GOWORK: 'off',
  CGO_ENABLED: '0',
});

const build = async (
  go: string,
  program: GoProgram,
  output: string,
  { env, reaper, listener }: LauncherContext,
): Promise<void> => {
  const startedAt = Date.now();
  const args = ['build', '-v', '-trimpath', '-ldflags=-s -w', '-o', output, program.target];
  const child = spawn(go, args, {
    cwd: join(GO_FOLDER, program.folder),
    env: goEnvironment(env),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.pid) reaper.add({ pid: child.pid, signal: 'SIGTERM', stopPhase: 0 });
  let lines: string[] = [];
  let count = 0;
  readLines(child.stderr, (line) => {
    count += 1;
    lines = [...lines, escapeControls(line)].slice(-8);
  });
  const elapsed = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const report = () =>
    listener.log(
      program.server,
      `building with Go: ${elapsed()}, ${count} packages, now ${lines.at(-1) ?? 'starting'}`,
    );
  const timer = setInterval(report, REPORT_INTERVAL_MS);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  ).finally(() => {
    clearInterval(timer);
    if (child.pid) reaper.remove(child.pid);
  });
  if (code !== 0) throw new Error(lines.join('\n'));
  listener.log(program.server, `built with Go in ${elapsed()}`);
};

const GO_FOLDER = fileURLToPath(new URL('../../../../packages/dev-server/go/', import.meta.url));

export const goBuild =
  (program: GoProgram): ServerProvider =>
  async (context) => {
    const source = join(GO_FOLDER, program.folder);
    const version = await pinnedVersion(source, program.module);
    const name = `${program.folder}-${version}-${await hashSources(source)}`;
    try {
      const file = await buildCached(context, { server: program.server, file: name }, async (folder) => {
        const go = findOnPath('go', context.env.PATH);
        if (!go) throw new Error('go was not found on the PATH');
        const output = join(folder, program.folder);
        await limitConcurrency(() => build(go, program, output, context));
        return output;
      });
      return { provider, file, version };
    } catch (error) {
      return { provider, reason: getErrorMessage(error).trim().split('\n').at(-1) ?? '' };
    }
  };
