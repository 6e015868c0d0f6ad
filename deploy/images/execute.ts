import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const execAside = promisify(execFile);

/** What a command wrote; throws with what it complained about. */
export async function execute(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const { stdout } = await execAside(file, args, { env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Runs a command whose output people watch. */
export async function perform(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}`);
}
