import { readFileSync, writeFileSync } from 'node:fs';

/** Buffers are outside V8's heap and its limit. In this interval they grow by at most some 50 MB. */
const POLL_MS = 20;

/** Calls `onTooMuch` when a process exceeds the limit. Without /proc, V8's heap limit is the only one. */
export function watchMemory(pid: number | undefined, bytes: number, onTooMuch: () => void): () => void {
  const timer = setInterval(() => {
    if (residentBytes(pid) > bytes) onTooMuch();
  }, POLL_MS);
  return () => clearInterval(timer);
}

/** 0 if unknown. */
function residentBytes(pid: number | undefined): number {
  try {
    // Synchronous: the thread pool may be busy with uploads, and the read takes microseconds.
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Makes the kernel kill the worker rather than the service when a container is out of memory. Allowed for own
 * processes.
 */
export function preferToEnd(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // No /proc, or the process has already exited.
  }
}
