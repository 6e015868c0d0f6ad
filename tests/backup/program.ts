import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';

/** The program of the image, as an operator or a CronJob runs it. */
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

export type Running = {
  signal(name: NodeJS.Signals): void;
  /** The exit code (null if a signal ended it) and the output. */
  ended: Promise<{ code: number | null; output: string }>;
};

/** `fileLimit` is the maximum size of a file that it may write, in blocks of `ulimit -f`. */
export function startBackup(
  env: NodeJS.ProcessEnv,
  args: string[],
  { fileLimit }: { fileLimit?: number } = {},
): Running {
  const limited = fileLimit === undefined ? [] : ['/bin/sh', '-c', `ulimit -f ${fileLimit} && exec "$@"`, 'sh'];
  const [file = '', ...rest] = [...limited, ...COMMAND, ...args];
  const child = spawn(file, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = async () => {
    const [[code], ...output] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
    return { code: code as number | null, output: output.join('') };
  };
  return { signal: (name) => void child.kill(name), ended: end() };
}
