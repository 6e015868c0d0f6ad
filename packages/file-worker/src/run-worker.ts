import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { OpenFile, WorkerLimits } from './open-source.ts';

type WorkerTask = {
  program: WorkerProgram;
  file: OpenFile;
  limits: WorkerLimits;
  /** Maximum output; only a compromised worker writes more. */
  maxOutputBytes: number;
  signal: AbortSignal;
};

/** `unknown`: the worker received a signal that neither the memory limit nor the time limit sends. */
export type WorkerEnd = { by: 'exit'; code: number | null; written: Buffer } | { by: 'memory' | 'time' | 'unknown' };

/**
 * The worker was killed from outside: by the kernel when the container is out of memory, or by an operator. The file is
 * not necessarily the cause, but one that repeatedly coincides with this must not be retried forever.
 */
export class WorkerKilled extends Error {}

type KillReason = 'memory' | 'time' | 'aborted';

/**
 * Runs a program in a separate process, which has exited when this returns. Rejects with the reason of `signal`, with
 * `WorkerKilled`, and if no process can be started.
 */
export async function runWorker({ program, file, limits, maxOutputBytes, signal }: WorkerTask): Promise<WorkerEnd> {
  signal.throwIfAborted();
  const child = spawnWorker(program, file, limits);
  const closed = once(child, 'close');
  let killReason: KillReason | undefined;
  const kill = (reason: KillReason) => {
    killReason ??= reason;
    child.kill('SIGKILL');
  };
  const onAbort = () => kill('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => kill('time'), limits.timeMs);
  const unwatch = watchMemory(child.pid, limits.memoryBytes, () => kill('memory'));
  try {
    const [written] = await Promise.all([readOutput(child, maxOutputBytes, () => kill('memory')), closed]);
    signal.throwIfAborted();
    if (killReason === 'memory' || killReason === 'time') return { by: killReason };
    const { signalCode, exitCode: code } = child;
    if (signalCode === 'SIGKILL') throw new WorkerKilled('A worker was killed from outside');
    return signalCode ? { by: CAUSE_OF_SIGNAL[signalCode] ?? 'unknown' } : { by: 'exit', code, written };
  } finally {
    clearTimeout(timer);
    unwatch();
    signal.removeEventListener('abort', onAbort);
    child.kill('SIGKILL');
  }
}

function spawnWorker(program: WorkerProgram, file: OpenFile, limits: WorkerLimits): ChildProcess {
  const { command, args } = workerCommand(program, limits);
  const child = spawn(command, args, {
    // Passes neither secrets nor NODE_OPTIONS.
    env: {},
    cwd: '/',
    stdio: [file.fd, 'ignore', 'ignore', 'pipe'],
  });
  if (child.pid === undefined) return child;
  setOomScore(child.pid);
  try {
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process has already exited; its exit code is more specific.
  }
  return child;
}

async function readOutput(child: ChildProcess, maxOutputBytes: number, onExceeded: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let remaining = maxOutputBytes;
  for await (const chunk of child.stdio[3] as Readable) {
    remaining -= chunk.length;
    if (remaining < 0) onExceeded();
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Signals that V8 sends when it is out of memory, and the kernel when the CPU time is used up (`workerCommand`). */
const CAUSE_OF_SIGNAL: Partial<Record<NodeJS.Signals, 'memory' | 'time'>> = {
  SIGABRT: 'memory',
  SIGTRAP: 'memory',
  SIGILL: 'memory',
  SIGXCPU: 'time',
};

const MIB = 1024 * 1024;

/** Memory outside V8's heap: Node itself (60 MiB), buffers, and garbage not yet collected. */
const NON_HEAP_BYTES = 112 * MIB;

type WorkerProgram = {
  /** Its path, resolved in the caller's module, so that it is included in images. */
  path: string;
  args: readonly string[];
  /** Size of V8's heap, for programs whose memory is mostly native. By default, the memory not needed otherwise. */
  heapBytes?: number;
  /** Uses native code, which is not restricted by Node's permissions, only by those of the operating system's user. */
  isNative?: boolean;
};

/**
 * Finds the outermost folder with a `package.json`: it contains the worker and its packages, in images and checkouts.
 */
function findPackageRoot(path: string): string {
  let root = dirname(path);
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) root = folder;
  }
  return root;
}

/**
 * A shell sets the limits that Node cannot: no core dumps, because they would contain the file, and a CPU time limit,
 * so that a worker in an endless loop ends even if the service was killed. JavaScript in the worker can read
 * only its program and packages, not even the service's entries in /proc, although both run as the same user, and cannot
 * write any file. Native code is not restricted.
 */
function workerCommand(program: WorkerProgram, limits: WorkerLimits): { command: string; args: string[] } {
  const { path, args, heapBytes = limits.memoryBytes - NON_HEAP_BYTES, isNative = false } = program;
  const cpuSeconds = 2 * Math.ceil(limits.timeMs / 1000);
  const heap = Math.max(32, Math.floor(heapBytes / MIB));
  const nodeOptions = [
    `--max-old-space-size=${heap}`,
    // A small young generation leaves more memory to the rest of the heap.
    '--max-semi-space-size=4',
    // Collects garbage on a single thread, which leaves CPU time to the service.
    '--v8-pool-size=1',
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    '--permission',
    `--allow-fs-read=${findPackageRoot(path)}`,
    ...(isNative ? ['--allow-addons'] : []),
  ];
  // The hard limit is a second later: if both were equal, the kernel would send SIGKILL, which is ambiguous.
  const script = 'ulimit -c 0; ulimit -S -t "$0"; ulimit -H -t $(($0 + 1)); exec "$@"';
  return {
    command: '/bin/sh',
    args: ['-c', script, String(cpuSeconds), process.execPath, ...nodeOptions, path, ...args],
  };
}

/** V8's heap limit excludes buffers, which grow by at most 50 MB or so per interval. */
const POLL_MS = 20;

/** Does nothing without /proc: then, only V8's heap is limited. */
function watchMemory(pid: number | undefined, maxBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    if (readResidentBytes(pid) > maxBytes) onExceeded();
  }, POLL_MS);
  return () => clearInterval(timer);
}

function readResidentBytes(pid: number | undefined): number {
  try {
    // Read synchronously, because the thread pool may be busy with uploads, and the read takes microseconds.
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Makes the kernel kill the worker rather than the service when a container is out of memory. */
function setOomScore(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // No /proc, or the process has already exited.
  }
}
