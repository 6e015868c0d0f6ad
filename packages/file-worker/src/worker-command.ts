import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WorkerLimits } from './limits.ts';

const MIB = 1024 * 1024;

/** Memory besides V8's heap: Node itself (60 MiB), buffers, and garbage not yet collected. */
const BESIDE_HEAP = 112 * MIB;

/** A program that reads standard input, writes to descriptor 3, and reports its result by its exit code. */
export type WorkerProgram = {
  /** Its path, resolved in the caller's module, so that it is included in images. */
  path: string;
  args: readonly string[];
  /** V8's heap if most memory is native; the rest of the memory by default. */
  heapBytes?: number;
  /** Uses native code, which Node's permissions do not restrict: the operating system's user does. */
  isNative?: boolean;
};

/** The outermost folder with a `package.json`: it contains a worker and its packages, in an image as in a checkout. */
function rootOf(path: string): string {
  let root = dirname(path);
  for (let at = root; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, 'package.json'))) root = at;
  return root;
}

/**
 * The command line of a worker. A shell sets what Node cannot: no core dumps, which would contain the file; and a CPU
 * time limit, so that a worker in a loop ends even if the service was killed. From then on it can read only its own
 * program, and write nothing: not even what /proc shows of the service, whose user it shares.
 */
export function workerCommand(program: WorkerProgram, limits: WorkerLimits): { program: string; args: string[] } {
  const { path, args, heapBytes = limits.memoryBytes - BESIDE_HEAP, isNative = false } = program;
  const cpuSeconds = 2 * Math.ceil(limits.timeMs / 1000);
  const heap = Math.max(32, Math.floor(heapBytes / MIB));
  const node = [
    `--max-old-space-size=${heap}`,
    // A small young generation leaves more of the heap.
    '--max-semi-space-size=4',
    // Single-threaded garbage collection, to leave CPU time to the service.
    '--v8-pool-size=1',
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    '--permission',
    `--allow-fs-read=${rootOf(path)}`,
    ...(isNative ? ['--allow-addons'] : []),
  ];
  // The hard limit is a second later: if both were equal, the kernel would send SIGKILL, which is ambiguous.
  const script = 'ulimit -c 0; ulimit -S -t "$0"; ulimit -H -t $(($0 + 1)); exec "$@"';
  return { program: '/bin/sh', args: ['-c', script, String(cpuSeconds), process.execPath, ...node, path, ...args] };
}
