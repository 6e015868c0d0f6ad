import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';

/** The program that the image contains, started as an operator or a CronJob does. */
const COMMAND = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  join(CHECKOUT, 'tools/backup/main.ts'),
] as const;
const run = promisify(execFile);

/** Resolves with its output; rejects with the output if it fails. */
export async function runBackup(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const [node, ...program] = COMMAND;
  const { stdout, stderr } = await run(node, [...program, ...args], { env });
  return stdout + stderr;
}

export type RunningBackup = {
  signal(name: NodeJS.Signals): void;
  /** The exit code (null if a signal ended it) and the output. */
  ended: Promise<{ code: number | null; output: string }>;
};

type BackupLimits = {
  /** Maximum size of a file that the backup may write, in blocks of `ulimit -f`. */
  fileLimit?: number;
};

export function startBackup(env: NodeJS.ProcessEnv, args: string[], { fileLimit }: BackupLimits = {}): RunningBackup {
  const shellWrapper = fileLimit === undefined ? [] : ['/bin/sh', '-c', `ulimit -f ${fileLimit} && exec "$@"`, 'sh'];
  const [file = '', ...rest] = [...shellWrapper, ...COMMAND, ...args];
  const child = spawn(file, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const waitForExit = async () => {
    const [[code], ...output] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
    return { code: code as number | null, output: output.join('') };
  };
  return { signal: (name) => void child.kill(name), ended: waitForExit() };
}
