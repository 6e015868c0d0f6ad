import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { EXIT, type Extraction, type Limits, type Refusal } from './extraction.ts';
import type { FileKind } from './file-kind.ts';
import type { OpenFile } from './open-source.ts';
import { workerCommand } from './worker-command.ts';
import { preferToEnd, watchMemory } from './worker-memory.ts';

export type WorkerTask = { kind: FileKind; file: OpenFile; limits: Limits; signal: AbortSignal };

/** Why this process ended its worker; what a worker does by itself its exit code says. */
type Cause = 'memory' | 'time' | 'signal';

/** Has a file read by a process of its own, which is gone when this answers. */
export async function runWorker({ kind, file, limits, signal }: WorkerTask): Promise<Extraction> {
  signal.throwIfAborted();
  const child = start(kind, file, limits);
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
    const [text] = await Promise.all([collect(child, limits, () => end('memory')), closed]);
    signal.throwIfAborted();
    if (cause === 'memory' || cause === 'time') return failed(cause);
    return judge(child, text);
  } finally {
    clearTimeout(timer);
    unwatch();
    signal.removeEventListener('abort', onAbort);
    child.kill('SIGKILL');
  }
}

function start(kind: FileKind, file: OpenFile, limits: Limits): ChildProcess {
  const { program, args } = workerCommand(kind, limits);
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

/** What comes from a worker. More than its limit only one writes that something else has taken over. */
async function collect(child: ChildProcess, limits: Limits, onTooMuch: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // UTF-8 takes three bytes at most for each unit of UTF-16, and NFC makes three units at most of one.
  let left = 9 * limits.characters;
  for await (const chunk of child.stdio[3] as Readable) {
    left -= chunk.length;
    if (left < 0) onTooMuch();
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** As V8, or the kernel, ends a process that has no more memory; and as the kernel ends one that has no more time. */
const BY_SIGNAL: Partial<Record<NodeJS.Signals, Refusal>> = {
  SIGABRT: 'memory',
  SIGTRAP: 'memory',
  SIGILL: 'memory',
  SIGKILL: 'memory',
  SIGXCPU: 'time',
};

function judge({ exitCode, signalCode }: ChildProcess, bytes: Buffer): Extraction {
  if (signalCode) return failed(BY_SIGNAL[signalCode] ?? 'damaged');
  switch (exitCode) {
    case EXIT.whole:
    case EXIT.cut: {
      const text = bytes.toString();
      return text.trim() === '' ? { state: 'empty' } : { state: 'text', text, cut: exitCode === EXIT.cut };
    }
    case EXIT.unsupported:
      return { state: 'unsupported' };
    case EXIT.damaged:
      return failed('damaged');
    case EXIT.encrypted:
      return failed('encrypted');
    case EXIT['too-long']:
      return failed('too-long');
    case EXIT.memory:
      return failed('memory');
    default:
      // A fault of the program and not of the file.
      throw new Error(`A worker that extracts text ended with ${exitCode}`);
  }
}

const failed = (why: Refusal): Extraction => ({ state: 'failed', why });
