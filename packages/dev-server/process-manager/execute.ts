import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const execAside = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs a command with optional input and returns its stdout, up to 64 MiB. Throws its stderr if it fails. */
export async function execute(
  file: string,
  args: readonly string[],
  { input, ...options }: { input?: string; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<string> {
  const running = execAside(file, args, { ...options, maxBuffer: MAX_OUTPUT_BYTES });
  // A command that ends without reading all input reports the reason with its exit code.
  running.child.stdin?.on('error', () => undefined).end(input);
  return (await running).stdout;
}

/** Runs a command with its output on the terminal. */
export async function runInteractive(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} failed with exit code ${code}`);
}
