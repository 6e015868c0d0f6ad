import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { watch } from 'chokidar';
import { CHECKOUT } from '../backing/launcher-context.ts';

/** Editors can write a file several times per save, and a git checkout writes many files. */
const DEBOUNCE_MS = 30;
/** Exceeds `SHUTDOWN_TIMEOUT_SECONDS` (20), but not the time that the launcher waits for this process. */
const KILL_AFTER_MS = 22_000;
const SOURCE_FILE = /\.(ts|mts|mjs|json|sql)$/;

function listWatchedFolders(main: string): string[] {
  const packages = join(CHECKOUT, 'packages');
  const shared = readdirSync(packages).map((name) => join(packages, name, 'src'));
  const own = [dirname(main), join(dirname(main), '../migrations')];
  return [...own, ...shared, join(CHECKOUT, 'proto-events/src')].filter((folder) => existsSync(folder));
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

async function stopProcess(
  child: ChildProcess | undefined,
  signal: NodeJS.Signals,
  killAfterMs: number,
): Promise<void> {
  if (!child || !isRunning(child)) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => {
    console.error(`Process did not end within ${killAfterMs / 1_000} s after ${signal} and is killed`);
    child.kill('SIGKILL');
  }, killAfterMs);
  child.kill(signal);
  await ended.finally(() => clearTimeout(timer));
}

export function createRestart({ stop, start }: { stop(): Promise<void>; start(): void }): () => Promise<void> {
  let isStopping = false;
  return async () => {
    if (isStopping) return;
    isStopping = true;
    await stop().finally(() => {
      isStopping = false;
    });
    start();
  };
}

/**
 * Runs a program, and restarts it when a source file is saved. After a failure, waits for the next save. Watches paths,
 * unlike `node --watch`, which loses track of a file that an editor replaces.
 */
export function runWatched(
  main: string,
  {
    nodeArgs = [],
    args = [],
    killAfterMs = KILL_AFTER_MS,
  }: { nodeArgs?: readonly string[]; args?: readonly string[]; killAfterMs?: number } = {},
): void {
  let isEnding = false;
  let isRestarting = false;
  const run = (): ChildProcess => {
    const child = spawn(process.execPath, [...nodeArgs, main, ...args], { stdio: 'inherit' });
    child.once('exit', (code) => {
      if (isEnding) process.exit(code ?? 0);
      if (!isRestarting) console.error(`Failed running '${main}'`);
    });
    return child;
  };
  let child: ChildProcess | undefined;
  const restart = createRestart({
    async stop() {
      console.log(`Restarting '${main}'`);
      isRestarting = true;
      await stopProcess(child, 'SIGTERM', killAfterMs);
      isRestarting = false;
    },
    start() {
      child = run();
    },
  });
  let timer: NodeJS.Timeout | undefined;
  watch(listWatchedFolders(main), { ignoreInitial: true })
    .on('all', (_event, path) => {
      if (!SOURCE_FILE.test(path)) return;
      clearTimeout(timer);
      timer = setTimeout(restart, DEBOUNCE_MS);
    })
    // The first run waits for the watcher, so that no change in between is missed.
    .once('ready', () => {
      child ??= run();
    });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, async () => {
      isEnding = true;
      await stopProcess(child, signal, killAfterMs);
      process.exit(0);
    });
}
