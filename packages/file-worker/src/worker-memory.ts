import { readFileSync, writeFileSync } from 'node:fs';

/** Buffers lie outside V8's heap, so its limit does not bound them. In this time they grow by some 50 MB at the most. */
const LOOK_EVERY_MS = 20;

/** Calls `onTooMuch` when a process holds more than that. Where there is no /proc, V8's limit on its heap is the only one. */
export function watchMemory(pid: number | undefined, bytes: number, onTooMuch: () => void): () => void {
  const timer = setInterval(() => {
    if (residentBytes(pid) > bytes) onTooMuch();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** 0 where that is not to be known. */
function residentBytes(pid: number | undefined): number {
  try {
    // Asked for in this thread: the pool may be busy with uploads, and the answer takes microseconds.
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Where a container runs out of memory, the kernel is to end the worker and not the service. Everybody may ask that of their own. */
export function preferToEnd(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // No /proc, or the process has gone already.
  }
}
