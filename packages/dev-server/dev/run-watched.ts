import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { watch } from 'chokidar';
import { CHECKOUT } from '../backing/launcher-context.ts';

/** An editor may touch a file more than once when it saves, and a checkout touches many. */
const QUIET_MS = 30;
/** A process of ours has ended by itself then (`SHUTDOWN_TIMEOUT_SECONDS`, 20), and whoever ends this one waits a little longer. */
const KILL_AFTER_MS = 22_000;
const SOURCE = /\.(ts|mts|mjs|json|sql)$/;

/** A program's own folders, and what all programs share. */
function foldersOf(main: string): string[] {
  const packages = join(CHECKOUT, 'packages');
  const shared = readdirSync(packages).map((name) => join(packages, name, 'src'));
  const own = [dirname(main), join(dirname(main), '../migrations')];
  return [...own, ...shared, join(CHECKOUT, 'proto-events/src')].filter((folder) => existsSync(folder));
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** Asks a process to end, and ends it where it has not done so in time; answers when it is gone. */
async function end(child: ChildProcess | undefined, signal: NodeJS.Signals, killAfterMs: number): Promise<void> {
  if (!child || !isRunning(child)) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => {
    console.error(`It has not ended ${killAfterMs / 1_000} s after ${signal}, and is killed`);
    child.kill('SIGKILL');
  }, killAfterMs);
  child.kill(signal);
  await ended.finally(() => clearTimeout(timer));
}

/** Stops and starts again. What is asked for while it stops is done by the start that comes. */
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
 * Runs a program from its sources and starts it again when one of them has been saved; one that fails waits for the next save. It follows
 * names, unlike `node --watch`, which loses a file for good that an editor or a sync replaces by another one.
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
  let isExpected = false;
  const run = (): ChildProcess => {
    const child = spawn(process.execPath, [...nodeArgs, main, ...args], { stdio: 'inherit' });
    child.once('exit', (code) => {
      if (isEnding) process.exit(code ?? 0);
      if (!isExpected) console.error(`Failed running '${main}'`);
    });
    return child;
  };
  let child: ChildProcess | undefined;
  const restart = createRestart({
    async stop() {
      console.log(`Restarting '${main}'`);
      isExpected = true;
      await end(child, 'SIGTERM', killAfterMs);
      isExpected = false;
    },
    start() {
      child = run();
    },
  });
  let timer: NodeJS.Timeout | undefined;
  watch(foldersOf(main), { ignoreInitial: true })
    .on('all', (_event, path) => {
      if (!SOURCE.test(path)) return;
      clearTimeout(timer);
      timer = setTimeout(restart, QUIET_MS);
    })
    // Not before, or what is saved between the first run and then would stay unseen.
    .once('ready', () => {
      child ??= run();
    });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, async () => {
      isEnding = true;
      await end(child, signal, killAfterMs);
      process.exit(0);
    });
}
