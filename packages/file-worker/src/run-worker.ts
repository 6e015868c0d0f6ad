import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import type { WorkerLimits } from './limits.ts';
import type { OpenFile } from './open-source.ts';
import { type WorkerProgram, workerCommand } from './worker-command.ts';
import { preferToEnd, watchMemory } from './worker-memory.ts';

export type WorkerTask = {
  program: WorkerProgram;
  file: OpenFile;
  limits: WorkerLimits;
  /** How much it may write; more only one writes that something else has taken over. */
  maxOutputBytes: number;
  signal: AbortSignal;
};

/** How a worker ended: by itself, with what it wrote, or for want of memory or of time; `unknown` is a signal of nobody's here. */
export type WorkerEnd = { by: 'exit'; code: number | null; written: Buffer } | { by: 'memory' | 'time' | 'unknown' };

/**
 * Raised where something else ended a worker: the kernel, as the container has no more memory, or who cleans up on its machine. It says
 * nothing of the file; but one that brings this about each time is not to be tried for ever.
 */
export class WorkerKilled extends Error {}

/** Why this process ended its worker; what a worker does by itself its exit code says. */
type Cause = 'memory' | 'time' | 'signal';

/**
 * Has a file read by a process of its own, which is gone when this answers: with no environment, the lowest priority and bounded memory
 * and time. Rejects with the reason of `signal`, when no process can be started, and with `WorkerKilled`.
 */
export async function runWorker({ program, file, limits, maxOutputBytes, signal }: WorkerTask): Promise<WorkerEnd> {
  signal.throwIfAborted();
  const child = start(program, file, limits);
  const closed = once(child, 'close');
  let cause: Cause | undefined;
  const end = (by: Cause) => {
    cause ??= by;
    child.kill('SIGKILL');
  };
  const onAbort = () => end('signal');
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => end('time'), limits.timeMs);
  const unwatch = watchMemory(child.pid, limits.memoryBytes, () => end('memory'));
  try {
    const [written] = await Promise.all([collect(child, maxOutputBytes, () => end('memory')), closed]);
    signal.throwIfAborted();
    if (cause === 'memory' || cause === 'time') return { by: cause };
    const { signalCode, exitCode: code } = child;
    if (signalCode === 'SIGKILL') throw new WorkerKilled('A worker was ended from outside');
    return signalCode ? { by: BY_SIGNAL[signalCode] ?? 'unknown' } : { by: 'exit', code, written };
  } finally {
    clearTimeout(timer);
    unwatch();
    signal.removeEventListener('abort', onAbort);
    child.kill('SIGKILL');
  }
}

function start(worker: WorkerProgram, file: OpenFile, limits: WorkerLimits): ChildProcess {
  const { program, args } = workerCommand(worker, limits);
  const child = spawn(program, args, {
    // Nothing of ours: neither what is secret nor NODE_OPTIONS.
    env: {},
    cwd: '/',
    stdio: [file.fd, 'ignore', 'ignore', 'pipe'],
  });
  if (child.pid === undefined) return child;
  preferToEnd(child.pid);
  try {
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, and says by itself why.
  }
  return child;
}

async function collect(child: ChildProcess, maxOutputBytes: number, onTooMuch: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let left = maxOutputBytes;
  for await (const chunk of child.stdio[3] as Readable) {
    left -= chunk.length;
    if (left < 0) onTooMuch();
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** As V8 ends a process that has no more memory, and the kernel one that has no more time (`workerCommand`). */
const BY_SIGNAL: Partial<Record<NodeJS.Signals, 'memory' | 'time'>> = {
  SIGABRT: 'memory',
  SIGTRAP: 'memory',
  SIGILL: 'memory',
  SIGXCPU: 'time',
};
