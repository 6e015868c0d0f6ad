import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import type { WorkerLimits } from './limits.ts';

/** The bytes of a file: where they lie, or as they come. */
export type Source = string | Readable;

/** A file that can be read anywhere, and goes with its last descriptor. `bytes` may be one more than is allowed, and then is not all. */
export type OpenFile = AsyncDisposable & { fd: number; bytes: number };

/**
 * Opens a file, or lets a stream fill one that has no name: packages and PDFs are read from their end, and may be larger than what a
 * worker may hold. As the name goes before the first byte comes, nothing is left behind, however this process ends.
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

/** What is beyond the largest file is not asked for: one byte too many is enough to know. */
async function fill(handle: FileHandle, source: Readable, limits: WorkerLimits, signal: AbortSignal): Promise<void> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(limits.timeMs)]);
  addAbortSignal(inTime, source);
  try {
    let left = limits.fileBytes + 1;
    for await (const chunk of source) {
      const bytes = (typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)).subarray(0, left);
      await handle.writeFile(bytes);
      left -= bytes.length;
      if (left === 0) return;
    }
  } catch (error) {
    // The reason says more than the stream's own error: whether time was up, or somebody gave up.
    inTime.throwIfAborted();
    throw error;
  }
}
