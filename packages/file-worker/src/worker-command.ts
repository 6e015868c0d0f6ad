import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WorkerLimits } from './limits.ts';

const MIB = 1024 * 1024;

/** What a worker holds beside V8's heap: Node's own program (60 MiB), buffers, and room for what V8 has not yet cleaned up. */
const BESIDE_HEAP = 112 * MIB;

/** A program that reads its standard input, writes to descriptor 3, and says by its exit code how that went. */
export type WorkerProgram = {
  /** Where it lies; the way to it stands in the code of whoever names it, so that it comes along into an image. */
  path: string;
  args: readonly string[];
  /** V8's heap, where most of the memory is for something else; the rest of the memory by default. */
  heapBytes?: number;
  /** It brings native code, which Node's permissions do not bind: what it may do is then up to the user that runs it. */
  isNative?: boolean;
};

/** The outermost folder that has a `package.json`: below it lie a worker and its packages, in an image as in a checkout. */
function rootOf(path: string): string {
  let root = dirname(path);
  for (let at = root; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, 'package.json'))) root = at;
  return root;
}

/**
 * How a worker is started. A shell sets what Node cannot: no core dumps, which would hold the file; and an end to the processor's time,
 * so that a worker in a loop ends also when the service was killed and nobody is left to end it. From then on it may read its own
 * program, and write nothing: not even what /proc shows of the service, whose user it shares.
 */
export function workerCommand(program: WorkerProgram, limits: WorkerLimits): { program: string; args: string[] } {
  const { path, args, heapBytes = limits.memoryBytes - BESIDE_HEAP, isNative = false } = program;
  const cpuSeconds = 2 * Math.ceil(limits.timeMs / 1000);
  const heap = Math.max(32, Math.floor(heapBytes / MIB));
  const node = [
    `--max-old-space-size=${heap}`,
    // Of what is new, so that little of the heap's room goes there.
    '--max-semi-space-size=4',
    // Garbage is collected by one thread: it is to be done beside the service, not soon.
    '--v8-pool-size=1',
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    '--permission',
    `--allow-fs-read=${rootOf(path)}`,
    ...(isNative ? ['--allow-addons'] : []),
  ];
  // The harder limit a second later: where both are one, the kernel ends it as anybody else would.
  const script = 'ulimit -c 0; ulimit -S -t "$0"; ulimit -H -t $(($0 + 1)); exec "$@"';
  return { program: '/bin/sh', args: ['-c', script, String(cpuSeconds), process.execPath, ...node, path, ...args] };
}
