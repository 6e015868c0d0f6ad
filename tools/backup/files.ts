import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline as pipe, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { createLineSplitter } from '@atrium/dev-server/process-manager/read-lines';
import type { KeptFile } from './manifest.ts';

type Source = Readable | AsyncIterable<string | Buffer>;

/** What passed through: its length and SHA-256. */
type Measured = { bytes: number; sha256: string };

function measuring(): { through: Transform; measured(): Measured } {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { through, measured: () => ({ bytes, sha256: hash.digest('hex') }) };
}

const open = (path: string) => createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });

async function placeOf(folder: string, file: string): Promise<string> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** Writes a compressed file of a backup, which its owner alone may read, and tells what it holds. */
export async function keep(folder: string, file: string, source: Source): Promise<KeptFile> {
  const path = await placeOf(folder, file);
  const { through, measured } = measuring();
  await pipeline(source, through, createGzip({ level: 5 }), open(path));
  return { file, ...measured() };
}

/** Writes bytes as they are: most files of people are compressed already. */
export async function keepAsIs(folder: string, file: string, source: Source): Promise<Measured> {
  const path = await placeOf(folder, file);
  const { through, measured } = measuring();
  await pipeline(source, through, open(path));
  return measured();
}

/** What comes out where a file goes in. Whoever reads hears of every error, also of an archive that ends too early. */
function passThrough<T extends Transform>(path: string, transform: T): T {
  pipe(createReadStream(path), transform, () => undefined);
  return transform;
}

/** The content of a compressed file. */
export const contentOf = (folder: string, { file }: Pick<KeptFile, 'file'>): Readable =>
  passThrough(join(folder, file), createGunzip());

/** The bytes of a file that is kept as it is, measured while they are read. */
export function readAsIs(folder: string, file: string): { content: Readable; measured(): Measured } {
  const { through, measured } = measuring();
  return { content: passThrough(join(folder, file), through), measured };
}

/** The lines of a compressed file. */
export async function* linesOf(folder: string, file: Pick<KeptFile, 'file'>): AsyncGenerator<string> {
  const splitter = createLineSplitter();
  for await (const chunk of contentOf(folder, file)) yield* splitter.push(chunk);
  yield* splitter.end();
}

export async function measure(source: Source): Promise<Measured> {
  const { through, measured } = measuring();
  await pipeline(source, through, async (chunks) => {
    for await (const _ of chunks);
  });
  return measured();
}

/** Why a file is not as its manifest says; undefined where it is. */
export async function findFault(folder: string, kept: KeptFile): Promise<string | undefined> {
  return judge(kept.file, kept, () => measure(contentOf(folder, kept)));
}

/** The same for one that is kept as it is. */
export async function findFaultAsIs(folder: string, kept: KeptFile): Promise<string | undefined> {
  return judge(kept.file, kept, async () => {
    const path = join(folder, kept.file);
    const { size } = await stat(path);
    return size === kept.bytes ? measure(createReadStream(path)) : { bytes: size, sha256: '' };
  });
}

async function judge(file: string, kept: Measured, look: () => Promise<Measured>): Promise<string | undefined> {
  try {
    const { bytes, sha256 } = await look();
    if (bytes !== kept.bytes) return `${file} has ${bytes} bytes and should have ${kept.bytes}`;
    return sha256 === kept.sha256 ? undefined : `${file} has another SHA-256 than its manifest says`;
  } catch (error) {
    return `${file} cannot be read: ${error instanceof Error ? error.message : error}`;
  }
}

/** Runs over things, so many at once. When it ends, also by a failure, nothing of it is under way any more. */
export async function forEach<T>(
  things: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  run: (thing: T) => Promise<void>,
): Promise<void> {
  const under = new Set<Promise<void>>();
  try {
    for await (const thing of things) {
      const work = run(thing).finally(() => under.delete(work));
      under.add(work);
      // A failure stops the whole; the others are heard of below.
      work.catch(() => undefined);
      if (under.size >= atOnce) await Promise.race(under);
    }
    await Promise.all(under);
  } finally {
    await Promise.allSettled(under);
  }
}
