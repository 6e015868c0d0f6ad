import { spawn } from 'node:child_process';
import type { Guard } from './reaper-client.ts';

export interface ToolRun {
  code: number | null;
  output: string;
}

interface ToolOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  guard: Guard;
  /** Whether its output goes straight to the terminal; else it is kept. */
  live?: boolean;
}

/** Runs a program of node_modules with this Node and waits for it; it ends with its launcher, however that ends. */
export const runTool = async (
  script: string,
  args: string[],
  { cwd, env = process.env, guard, live }: ToolOptions,
): Promise<ToolRun> => {
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
  });
  if (child.pid) guard.add({ pid: child.pid, signal: 'SIGTERM', order: 0 });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (child.pid) guard.remove(child.pid);
  return { code, output: Buffer.concat(chunks).toString() };
};
