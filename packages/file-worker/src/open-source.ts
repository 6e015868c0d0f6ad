import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';

export type WorkerLimits = {
  /** Limits the worker's memory, including 60 MB for Node itself. */
  memoryBytes: number;
  /** Limits the worker, and separately the reading of the source. */
  timeMs: number;
  /** The temporary folder needs this much space for each concurrent worker. */
  fileBytes: number;
};

/** An unnamed file, which is deleted with its last descriptor. If `bytes` is one above the limit, it is truncated. */
export type OpenFile = AsyncDisposable & { fd: number; bytes: number };

/**
 * Copies a stream to an unnamed file, because archives and PDFs are read from the end and may exceed a worker's memory.
 * The name is removed before the first byte is written, so that no file remains even if this process crashes.
 */
export async function openSource(source: Readable, limits: WorkerLimits, signal: AbortSignal): Promise<OpenFile> {
  signal.throwIfAborted();
  const handle = await openUnnamed();
  try {
    await copyInto(handle, source, limits, signal);
    const { size } = await handle.stat();
    return { fd: handle.fd, bytes: size, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `atrium-file-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

/** Copies at most one byte beyond the limit. */
async function copyInto(
  handle: FileHandle,
  source: Readable,
  limits: WorkerLimits,
  signal: AbortSignal,
): Promise<void> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.timeMs)]);
  addAbortSignal(deadline, source);
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
    deadline.throwIfAborted();
    throw error;
  }
}
