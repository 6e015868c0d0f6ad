// A process that briefly outlives the launcher: when the pipe from the launcher closes, for whatever reason, it ends every process that the
// launcher had started.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { isAlive, sendSignal } from './alive.ts';
import { readLines } from './read-lines.ts';
import type { ReapedProcess, ReaperMessage } from './reaper-client.ts';

const GRACE_MS = 8_000;
const reaped = new Map<number, ReapedProcess>();
const folders = new Set<string>();

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const endTogether = async (some: ReapedProcess[]): Promise<void> => {
  for (const target of some) sendSignal(target.pid, target.signal);
  const deadline = Date.now() + GRACE_MS;
  while (Date.now() < deadline && some.some(({ pid }) => isAlive(pid))) await pause(40);
  for (const { pid } of some) sendSignal(-pid, 'SIGKILL');
};

const endAll = async (): Promise<void> => {
  const orders = [...new Set([...reaped.values()].map(({ order }) => order))].sort();
  for (const order of orders) await endTogether([...reaped.values()].filter((target) => target.order === order));
  for (const { cleanup } of reaped.values()) {
    const [file, ...args] = cleanup ?? [];
    if (file) await promisify(execFile)(file, args, { timeout: GRACE_MS }).catch(() => undefined);
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
};

const take = (message: ReaperMessage): void => {
  if ('add' in message) reaped.set(message.add.pid, message.add);
  if ('remove' in message) reaped.delete(message.remove);
  if ('folder' in message) folders.add(message.folder);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
readLines(
  process.stdin,
  (line) => take(JSON.parse(line)),
  () => void endAll().finally(() => process.exit(0)),
);
