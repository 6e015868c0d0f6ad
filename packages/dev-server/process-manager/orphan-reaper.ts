// A process that briefly outlives the launcher. When the pipe from the launcher closes, for whatever reason, it ends
// every process that the launcher had started.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { isAlive, sendSignal } from './alive.ts';
import { readLines } from './read-lines.ts';
import type { ReapedProcess, ReaperMessage } from './reaper-client.ts';

const TERMINATION_TIMEOUT_MS = 8_000;
const reaped = new Map<number, ReapedProcess>();
const folders = new Set<string>();

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const terminateGroup = async (processes: ReapedProcess[]): Promise<void> => {
  for (const { pid, signal } of processes) sendSignal(pid, signal);
  const deadline = Date.now() + TERMINATION_TIMEOUT_MS;
  while (Date.now() < deadline && processes.some(({ pid }) => isAlive(pid))) await delay(40);
  for (const { pid } of processes) sendSignal(-pid, 'SIGKILL');
};

const terminateAll = async (): Promise<void> => {
  const stopPhases = [...new Set([...reaped.values()].map(({ stopPhase }) => stopPhase))].sort();
  for (const phase of stopPhases)
    await terminateGroup([...reaped.values()].filter(({ stopPhase }) => stopPhase === phase));
  for (const { cleanup } of reaped.values()) {
    const [file, ...args] = cleanup ?? [];
    if (file) await promisify(execFile)(file, args, { timeout: TERMINATION_TIMEOUT_MS }).catch(() => undefined);
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
};

const handleMessage = (message: ReaperMessage): void => {
  if ('add' in message) reaped.set(message.add.pid, message.add);
  if ('remove' in message) reaped.delete(message.remove);
  if ('folder' in message) folders.add(message.folder);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
readLines(
  process.stdin,
  (line) => handleMessage(JSON.parse(line)),
  () => void terminateAll().finally(() => process.exit(0)),
);
