import { fstatSync, read as readFd } from 'node:fs';
import { promisify } from 'node:util';

const read = promisify(readFd);

/** Standard input of the worker, which is seekable. */
export type Input = { fd: number; size: number };

export const standardInput = (): Input => ({ fd: 0, size: fstatSync(0).size });

export async function readAt({ fd, size }: Input, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await read(fd, buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

const CHUNK_BYTES = 64 * 1024;

export async function* readChunks(input: Input): AsyncGenerator<Buffer> {
  for (let position = 0; position < input.size; position += CHUNK_BYTES) {
    yield await readAt(input, position, CHUNK_BYTES);
  }
}
