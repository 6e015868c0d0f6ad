import type { Readable } from 'node:stream';
import { type Entry, fromFdPromise } from 'yauzl';
import { ExtractionError } from '../extraction.ts';
import type { Input } from './input.ts';

const MIB = 1024 * 1024;

/** More than any document has, and few enough to keep their names in memory. */
const MAX_ENTRIES = 20_000;

const MAX_UNPACKED_BYTES = 256 * MIB;

/** XML with repeated rows compresses to one percent, and a zip bomb to a tenth of that. Small entries are exempt. */
const MAX_COMPRESSION_RATIO = 250;
const RATIO_EXEMPT_BYTES = 16 * MIB;

export type Zip = {
  names: ReadonlySet<string>;
  part(name: string): AsyncIterable<Buffer> | undefined;
};

export async function openZip({ fd }: Input): Promise<Zip> {
  const file = await fromFdPromise(fd, { lazyEntries: true, autoClose: false });
  if (file.entryCount > MAX_ENTRIES) throw new ExtractionError('too-long');
  const entries = new Map<string, Entry>();
  for await (const entry of file.eachEntry()) entries.set(entry.fileName, entry);
  let remaining = MAX_UNPACKED_BYTES;

  async function* unpack(entry: Entry): AsyncGenerator<Buffer> {
    if (entry.isEncrypted()) throw new ExtractionError('encrypted');
    const maxBytes = Math.max(RATIO_EXEMPT_BYTES, MAX_COMPRESSION_RATIO * entry.compressedSize);
    let bytes = 0;
    const stream: Readable = await file.openReadStreamPromise(entry);
    for await (const chunk of stream) {
      bytes += chunk.length;
      remaining -= chunk.length;
      if (bytes > maxBytes || remaining < 0) throw new ExtractionError('too-long');
      yield chunk;
    }
  }
  return {
    names: new Set(entries.keys()),
    part(name) {
      const entry = entries.get(name);
      return entry && unpack(entry);
    },
  };
}
