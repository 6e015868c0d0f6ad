import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AppError, unavailable } from '@atrium/service-kit/errors/app-error';
import { type ObjectStore, STORAGE_UNAVAILABLE } from '../s3/object-store.ts';
import { findType } from './find-type.ts';
import { IMAGE_HEAD_BYTES, type ImageSize, parseImageSize } from './image-size.ts';
import { formatBytes } from './quota.ts';
import { createTextSampler, HEAD_BYTES } from './text-sample.ts';

export type StoredFile = {
  objectKey: string;
  size: number;
  sha256: string;
  mimetype: string;
  image?: ImageSize | undefined;
};

/** `check` receives the size so far, and throws if it exceeds the limit. */
type Options = { store: ObjectStore; objectKey: string; check: (bytes: number) => void };

export type FileProperties = Omit<StoredFile, 'objectKey'>;

/** Computes the properties of a file while it is streamed. */
type Meter = {
  add(chunk: Buffer): void;
  size(): number;
  /** Call once, after the last chunk. */
  finish(): Promise<FileProperties>;
};

export async function storeFile(file: Readable, { store, objectKey, check }: Options): Promise<StoredFile> {
  const meter = createMeter();
  await store.put(objectKey, measureChunks(meter, file, check));
  return { objectKey, ...(await meter.finish()) };
}

export async function measureFile(file: Readable, check: Options['check']): Promise<FileProperties> {
  const meter = createMeter();
  for await (const _chunk of measureChunks(meter, file, check));
  return meter.finish();
}

/** Reads a stored object completely. Throws `unavailable` if the store fails. */
export async function measureObject(store: ObjectStore, objectKey: string): Promise<StoredFile> {
  const meter = createMeter();
  const object = await store.read(objectKey);
  try {
    for await (const chunk of object as AsyncIterable<Buffer>) meter.add(chunk);
  } catch (error) {
    throw unavailable(STORAGE_UNAVAILABLE, error);
  }
  if (meter.size() === 0) throw emptyFile();
  return { objectKey, ...(await meter.finish()) };
}

async function* measureChunks(meter: Meter, file: Readable, check: Options['check']): AsyncGenerator<Buffer> {
  for await (const chunk of file as AsyncIterable<Buffer>) {
    meter.add(chunk);
    check(meter.size());
    yield chunk;
  }
  if (meter.size() === 0) throw emptyFile();
}

const emptyFile = () => new AppError('validation_failed', 'The file is empty', { messages: ['The file is empty'] });

export function createMeter(): Meter {
  const digest = createHash('sha256');
  const sampler = createTextSampler();
  const headChunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      if (size < IMAGE_HEAD_BYTES) headChunks.push(Buffer.from(chunk.subarray(0, IMAGE_HEAD_BYTES - size)));
      size += chunk.length;
      digest.update(chunk);
      sampler.add(chunk);
    },
    size: () => size,
    async finish() {
      const head = Buffer.concat(headChunks);
      const bytes = head.subarray(0, HEAD_BYTES);
      const mimetype = await findType({ bytes, isComplete: size <= HEAD_BYTES, firstNonAscii: sampler.read() });
      return { size, sha256: digest.digest('hex'), mimetype, image: parseImageSize(head, mimetype) };
    },
  };
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('too_large', `The file is larger than ${formatBytes(maxBytes)}`);
}
