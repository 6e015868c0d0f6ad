import { spawn } from 'node:child_process';
import type { ReaperClient } from './reaper-client.ts';

export interface ToolRun {
  code: number | null;
  output: string;
}

interface ToolOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  reaper: ReaperClient;
  live?: boolean;
}

export const runTool = async (
  script: string,
  args: string[],
  { cwd, env = process.env, reaper, live }: ToolOptions,
): Promise<ToolRun> => {
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
  });
  if (child.pid) reaper.add({ pid: child.pid, signal: 'SIGTERM', stopPhase: 0 });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (child.pid) reaper.remove(child.pid);
  return { code, output: Buffer.concat(chunks).toString() };
};
