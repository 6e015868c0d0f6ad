import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Limits } from './extraction.ts';
import type { FileKind } from './file-kind.ts';

const MIB = 1024 * 1024;

/** What a worker holds beside V8's heap: Node's own program (60 MiB), buffers, and room for what V8 has not yet cleaned up. */
const BESIDE_HEAP = 112 * MIB;

const WORKER = fileURLToPath(new URL('./worker/main.ts', import.meta.url));

/** The outermost folder that has a `package.json`: below it lie the worker and its packages, in an image as in a checkout. */
const ROOT = (() => {
  let root = dirname(WORKER);
  for (let at = root; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, 'package.json'))) root = at;
  return root;
})();

/**
 * How a worker is started. A shell sets what Node cannot: no core dumps, which would hold the file; and an end to the processor's time,
 * so that a worker in a loop ends also when the service was killed and nobody is left to end it. From then on it may read its own
 * program, and write nothing: not even what /proc shows of the service, whose user it shares.
 */
export function workerCommand(kind: FileKind, limits: Limits): { program: string; args: string[] } {
  const cpuSeconds = 2 * Math.ceil(limits.timeMs / 1000);
  const heap = Math.max(32, Math.floor((limits.memoryBytes - BESIDE_HEAP) / MIB));
  const node = [
    `--max-old-space-size=${heap}`,
    // Of what is new, so that little of the heap's room goes there.
    '--max-semi-space-size=4',
    // Garbage is collected by one thread: it is to be done beside the service, not soon.
    '--v8-pool-size=1',
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    '--permission',
    `--allow-fs-read=${ROOT}`,
  ];
  const script = 'ulimit -c 0; ulimit -t "$0"; exec "$@"';
  const worker = [WORKER, kind, String(limits.characters)];
  return { program: '/bin/sh', args: ['-c', script, String(cpuSeconds), process.execPath, ...node, ...worker] };
}
