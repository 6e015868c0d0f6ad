import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

export const run = async (
  file: string,
  args: string[],
  options: { timeoutMs?: number; env?: NodeJS.ProcessEnv } = {},
) => {
  const { stdout, stderr } = await execFileAsync(file, args, {
    timeout: options.timeoutMs ?? 10_000,
    ...(options.env ? { env: options.env } : {}),
  });
  return `${stdout}${stderr}`;
};

export const getErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const runAs = async (file: string, args: string[], account?: { uid: number; gid: number }): Promise<void> => {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C' };
  await execFileAsync(file, args, { timeout: 120_000, env, cwd: '/', ...account });
};
