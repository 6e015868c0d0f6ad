import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline as pipe, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { createLineSplitter } from '@atrium/dev-server/process-manager/read-lines';
import type { BackupFile } from './manifest.ts';

type Source = Readable | AsyncIterable<string | Buffer>;

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

async function preparePath(folder: string, file: string): Promise<string> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** Readable only by the owner. Returns the length and SHA-256 of the uncompressed content. */
export async function writeCompressed(folder: string, file: string, source: Source): Promise<BackupFile> {
  const path = await preparePath(folder, file);
  const { through, measured } = measuring();
  await pipeline(source, through, createGzip({ level: 5 }), open(path));
  return { file, ...measured() };
}

/** Unchanged: most user files are compressed already. */
export async function writeRaw(folder: string, file: string, source: Source): Promise<Measured> {
  const path = await preparePath(folder, file);
  const { through, measured } = measuring();
  await pipeline(source, through, open(path));
  return measured();
}

function passThrough<T extends Transform>(path: string, transform: T): T {
  pipe(createReadStream(path), transform, () => undefined);
  return transform;
}

export const contentOf = (folder: string, { file }: Pick<BackupFile, 'file'>): Readable =>
  passThrough(join(folder, file), createGunzip());

export function readRaw(folder: string, file: string): { content: Readable; measured(): Measured } {
  const { through, measured } = measuring();
  return { content: passThrough(join(folder, file), through), measured };
}

export async function* linesOf(folder: string, file: Pick<BackupFile, 'file'>): AsyncGenerator<string> {
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

/** Undefined if the file matches its manifest entry. */
export async function findError(folder: string, kept: BackupFile): Promise<string | undefined> {
  return compareFile(kept.file, kept, () => measure(contentOf(folder, kept)));
}

export async function findRawError(folder: string, kept: BackupFile): Promise<string | undefined> {
  return compareFile(kept.file, kept, async () => {
    const path = join(folder, kept.file);
    const { size } = await stat(path);
    return size === kept.bytes ? measure(createReadStream(path)) : { bytes: size, sha256: '' };
  });
}

async function compareFile(
  file: string,
  kept: Measured,
  measureFile: () => Promise<Measured>,
): Promise<string | undefined> {
  try {
    const { bytes, sha256 } = await measureFile();
    if (bytes !== kept.bytes) return `${file} has ${bytes} bytes, expected ${kept.bytes}`;
    return sha256 === kept.sha256 ? undefined : `The SHA-256 of ${file} does not match the manifest`;
  } catch (error) {
    return `Failed to read ${file}: ${error instanceof Error ? error.message : error}`;
  }
}

/** No call is in flight when it returns or throws. */
export async function forEach<T>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      const work = run(item).finally(() => inFlight.delete(work));
      inFlight.add(work);
      // Promise.race and Promise.all report the rejection; this prevents an unhandled one.
      work.catch(() => undefined);
      if (inFlight.size >= concurrency) await Promise.race(inFlight);
    }
    await Promise.all(inFlight);
  } finally {
    await Promise.allSettled(inFlight);
  }
}
