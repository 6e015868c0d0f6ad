import type { Readable } from 'node:stream';
import { type Entry, fromFdPromise } from 'yauzl';
import { ExtractionError } from './fault.ts';
import type { Input } from './input.ts';

const MIB = 1024 * 1024;

/** More parts than any document has, and few enough to hold their names. */
const MOST_ENTRIES = 20_000;

/** What may be unpacked of one package in all. */
const MOST_UNPACKED = 256 * MIB;

/** XML of one repeated row shrinks to a hundredth; a bomb, to a thousandth. Small parts may do as they like. */
const MOST_RATIO = 250;
const SMALL = 16 * MIB;

/** A zip as the formats of Office use it: parts by their names, each a stream of which only so much comes. */
export type Zip = {
  names: ReadonlySet<string>;
  /** The bytes of a part, unpacked as they are read; undefined where there is none of that name. */
  part(name: string): AsyncIterable<Buffer> | undefined;
};

export async function openZip({ fd }: Input): Promise<Zip> {
  const file = await fromFdPromise(fd, { lazyEntries: true, autoClose: false });
  if (file.entryCount > MOST_ENTRIES) throw new ExtractionError('too-long');
  const entries = new Map<string, Entry>();
  for await (const entry of file.eachEntry()) entries.set(entry.fileName, entry);
  let left = MOST_UNPACKED;

  async function* unpack(entry: Entry): AsyncGenerator<Buffer> {
    if (entry.isEncrypted()) throw new ExtractionError('encrypted');
    const most = Math.max(SMALL, MOST_RATIO * entry.compressedSize);
    let bytes = 0;
    const stream: Readable = await file.openReadStreamPromise(entry);
    for await (const chunk of stream) {
      bytes += chunk.length;
      left -= chunk.length;
      if (bytes > most || left < 0) throw new ExtractionError('too-long');
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
