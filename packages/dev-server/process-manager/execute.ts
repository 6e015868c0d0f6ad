import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const execAside = promisify(execFile);
const MOST_BYTES = 64 * 1024 * 1024;

/** What a command wrote, up to 64 MiB, given `input` on its standard input; throws with what it complained about. */
export async function execute(
  file: string,
  args: readonly string[],
  { input, ...options }: { input?: string; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<string> {
  const running = execAside(file, args, { ...options, maxBuffer: MOST_BYTES });
  // One that ends before it has read all says why by its exit code.
  running.child.stdin?.on('error', () => undefined).end(input);
  return (await running).stdout;
}

/** Runs a command whose output people watch. */
export async function runInteractive(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}`);
}
