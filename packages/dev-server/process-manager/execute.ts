import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Returns stdout, up to 64 MiB. If the command fails, throws an error with its stderr. */
export async function execute(
  file: string,
  args: readonly string[],
  { input, ...options }: { input?: string; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<string> {
  const running = execFileAsync(file, args, { ...options, maxBuffer: MAX_OUTPUT_BYTES });
  // A command that ends before it has read all input reports the reason by its exit code.
  running.child.stdin?.on('error', () => undefined).end(input);
  return (await running).stdout;
}

export async function runInteractive(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} failed with exit code ${code}`);
}
