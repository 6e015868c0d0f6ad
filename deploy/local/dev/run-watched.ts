import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { watch } from 'chokidar';
import { CHECKOUT } from '../backing/toolbox.ts';

/** An editor may touch a file more than once when it saves, and a checkout touches many. */
const QUIET_MS = 30;
const SOURCE = /\.(ts|mts|mjs|json|sql)$/;

/** A program's own folders, and what all programs share. */
function foldersOf(main: string): string[] {
  const packages = join(CHECKOUT, 'packages');
  const shared = readdirSync(packages).map((name) => join(packages, name, 'src'));
  const own = [dirname(main), join(dirname(main), '../migrations')];
  return [...own, ...shared, join(CHECKOUT, 'proto-events/src')].filter((folder) => existsSync(folder));
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/**
 * Runs a program from its sources and starts it again when one of them has been saved; one that fails waits for the next save. It follows
 * names, unlike `node --watch`, which loses a file for good that an editor or a sync replaces by another one (docs/decisions/0034).
 */
export function runWatched(main: string, nodeArgs: readonly string[], args: readonly string[] = []): void {
  let isEnding = false;
  let isExpected = false;
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [...nodeArgs, main, ...args], { stdio: 'inherit' });
    child.once('exit', (code) => {
      if (isEnding) process.exit(code ?? 0);
      if (!isExpected) console.error(`Failed running '${main}'`);
    });
    return child;
  };
  let child = start();
  const restart = async () => {
    console.log(`Restarting '${main}'`);
    if (isRunning(child)) {
      isExpected = true;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      isExpected = false;
    }
    child = start();
  };
  let restarted = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  watch(foldersOf(main), { ignoreInitial: true }).on('all', (_event, path) => {
    if (!SOURCE.test(path)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarted = restarted.then(restart);
    }, QUIET_MS);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      isEnding = true;
      if (isRunning(child)) child.kill(signal);
      else process.exit(0);
    });
}
