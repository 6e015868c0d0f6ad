import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';

export type WorkerLimits = {
  /** Includes 60 MB of Node itself. */
  memoryBytes: number;
  /** Of the worker, and of receiving the source: together at most twice that. */
  timeMs: number;
  /** The temporary folder needs this much space for each concurrent worker. */
  fileBytes: number;
};

export type Source = string | Readable;

/** Deleted with its last descriptor. Content of `bytes` one above the limit is truncated. */
export type OpenFile = AsyncDisposable & { fd: number; bytes: number };

/**
 * A stream becomes an unnamed file: archives and PDFs are read from the end, and may exceed a worker's memory.
 * The name is removed before the first byte is written, so that nothing is left behind, however this process
 * ends.
 */
export async function openSource(source: Source, limits: WorkerLimits, signal: AbortSignal): Promise<OpenFile> {
  signal.throwIfAborted();
  const handle = typeof source === 'string' ? await open(source, 'r') : await openNameless();
  try {
    if (typeof source !== 'string') await fill(handle, source, limits, signal);
    const { size } = await handle.stat();
    return { fd: handle.fd, bytes: size, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `atrium-file-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

/** Reads at most one byte beyond the limit. */
async function fill(handle: FileHandle, source: Readable, limits: WorkerLimits, signal: AbortSignal): Promise<void> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(limits.timeMs)]);
  addAbortSignal(inTime, source);
  try {
    let remaining = limits.fileBytes + 1;
    for await (const chunk of source) {
      const bytes = (typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)).subarray(0, remaining);
      await handle.writeFile(bytes);
      remaining -= bytes.length;
      if (remaining === 0) return;
    }
  } catch (error) {
    // The reason is more specific than the stream's own error.
    inTime.throwIfAborted();
    throw error;
  }
}
