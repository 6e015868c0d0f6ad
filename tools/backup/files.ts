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

type Measurement = { bytes: number; sha256: string };

function createMeter(): { through: Transform; readMeasurement(): Measurement } {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { through, readMeasurement: () => ({ bytes, sha256: hash.digest('hex') }) };
}

const open = (path: string) => createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });

async function preparePath(folder: string, file: string): Promise<string> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** Creates a file that only the owner can read. Returns the length and SHA-256 of the uncompressed content. */
export async function writeCompressed(folder: string, file: string, source: Source): Promise<BackupFile> {
  const path = await preparePath(folder, file);
  const { through, readMeasurement } = createMeter();
  await pipeline(source, through, createGzip({ level: 5 }), open(path));
  return { file, ...readMeasurement() };
}

/** Writes without compression, because most user files are already compressed. */
export async function writeRaw(folder: string, file: string, source: Source): Promise<Measurement> {
  const path = await preparePath(folder, file);
  const { through, readMeasurement } = createMeter();
  await pipeline(source, through, open(path));
  return readMeasurement();
}

function passThrough<T extends Transform>(path: string, transform: T): T {
  pipe(createReadStream(path), transform, () => undefined);
  return transform;
}

export const readContent = (folder: string, { file }: Pick<BackupFile, 'file'>): Readable =>
  passThrough(join(folder, file), createGunzip());

export function readRaw(folder: string, file: string): { content: Readable; readMeasurement(): Measurement } {
  const { through, readMeasurement } = createMeter();
  return { content: passThrough(join(folder, file), through), readMeasurement };
}

export async function* readLines(folder: string, file: Pick<BackupFile, 'file'>): AsyncGenerator<string> {
  const splitter = createLineSplitter();
  for await (const chunk of readContent(folder, file)) yield* splitter.push(chunk);
  yield* splitter.end();
}

export async function measure(source: Source): Promise<Measurement> {
  const { through, readMeasurement } = createMeter();
  await pipeline(source, through, async (chunks) => {
    for await (const _ of chunks);
  });
  return readMeasurement();
}

/** Returns undefined if the file matches its manifest entry. */
export async function findDamage(folder: string, expected: BackupFile): Promise<string | undefined> {
  return compareFile(expected.file, expected, () => measure(readContent(folder, expected)));
}

export async function findRawDamage(folder: string, expected: BackupFile): Promise<string | undefined> {
  return compareFile(expected.file, expected, async () => {
    const path = join(folder, expected.file);
    const { size } = await stat(path);
    return size === expected.bytes ? measure(createReadStream(path)) : { bytes: size, sha256: '' };
  });
}

async function compareFile(
  file: string,
  expected: Measurement,
  measureFile: () => Promise<Measurement>,
): Promise<string | undefined> {
  try {
    const { bytes, sha256 } = await measureFile();
    if (bytes !== expected.bytes) return `${file} has ${bytes} bytes, expected ${expected.bytes}`;
    return sha256 === expected.sha256 ? undefined : `The SHA-256 of ${file} does not match the manifest`;
  } catch (error) {
    return `Failed to read ${file}: ${error instanceof Error ? error.message : error}`;
  }
}

/** Runs at most `concurrency` calls at a time. None is in flight when this returns or throws. */
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
