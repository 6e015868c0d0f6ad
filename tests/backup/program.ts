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

/** Runs it; answers what it says, and rejects with that where it fails. */
export async function runBackup(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const [node, ...program] = COMMAND;
  const { stdout, stderr } = await run(node, [...program, ...args], { env });
  return stdout + stderr;
}

/** One that is under way. */
export type Running = {
  signal(name: NodeJS.Signals): void;
  /** Its exit code, null where a signal ended it, and what it said. */
  ended: Promise<{ code: number | null; said: string }>;
};

/** Starts it; `fileLimit` is the most that it may write into one file, in blocks of `ulimit -f`. */
export function startBackup(
  env: NodeJS.ProcessEnv,
  args: string[],
  { fileLimit }: { fileLimit?: number } = {},
): Running {
  const limited = fileLimit === undefined ? [] : ['/bin/sh', '-c', `ulimit -f ${fileLimit} && exec "$@"`, 'sh'];
  const [file = '', ...rest] = [...limited, ...COMMAND, ...args];
  const child = spawn(file, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = async () => {
    const [[code], ...said] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
    return { code: code as number | null, said: said.join('') };
  };
  return { signal: (name) => void child.kill(name), ended: end() };
}
