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
  /** Maximum output; only a compromised worker writes more. */
  maxOutputBytes: number;
  signal: AbortSignal;
};

/**
 * How a worker ended: by exiting, with its output, or by exceeding memory or time; `unknown` is a signal from
 * neither.
 */
export type WorkerEnd = { by: 'exit'; code: number | null; written: Buffer } | { by: 'memory' | 'time' | 'unknown' };

/**
 * Thrown if a worker was killed from outside: by the kernel when the container is out of memory, or by an operator.
 * It says nothing about the file; but one that repeatedly causes this must not be retried forever.
 */
export class WorkerKilled extends Error {}

type Cause = 'memory' | 'time' | 'signal';

/**
 * Processes a file in a separate process, which has exited when this returns: without environment, with the lowest
 * priority and limited memory and time. Rejects with the reason of `signal`, if no process can be started, and with
 * `WorkerKilled`.
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
    if (signalCode === 'SIGKILL') throw new WorkerKilled('A worker was killed from outside');
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
    // Without secrets and NODE_OPTIONS.
    env: {},
    cwd: '/',
    stdio: [file.fd, 'ignore', 'ignore', 'pipe'],
  });
  if (child.pid === undefined) return child;
  preferToEnd(child.pid);
  try {
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The exit code of an ended process takes precedence.
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

/** Signals by which V8 ends a process out of memory, and the kernel one out of CPU time (`workerCommand`). */
const BY_SIGNAL: Partial<Record<NodeJS.Signals, 'memory' | 'time'>> = {
  SIGABRT: 'memory',
  SIGTRAP: 'memory',
  SIGILL: 'memory',
  SIGXCPU: 'time',
};
