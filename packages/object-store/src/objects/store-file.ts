import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AppError, unavailable } from '@atrium/service-kit/http/app-error';
import { sizeInWords } from '../receiving/size-in-words.ts';
import { type ObjectStore, STORAGE_AWAY } from '../s3/object-store.ts';
import { findType, HEAD_BYTES } from './find-type.ts';
import { IMAGE_HEAD_BYTES, type ImageSize, readImageSize } from './image-size.ts';

/** What is known of a file once its last byte has passed; `image` of one whose size can be told. */
export type StoredFile = {
  objectKey: string;
  size: number;
  sha256: string;
  mimetype: string;
  image?: ImageSize | undefined;
};

/** `check` hears how long the file is so far, and throws where that is too much. */
type Options = { store: ObjectStore; objectKey: string; check: (bytes: number) => void };

/** Streams a file into the object store, measuring it on the way. */
export async function storeFile(file: Readable, { store, objectKey, check }: Options): Promise<StoredFile> {
  const meter = createMeter(check);
  await store.put(objectKey, meter.pass(file));
  return { objectKey, ...(await meter.read()) };
}

/** Measures an object that is in the store already, by reading it. */
export async function measureStored(store: ObjectStore, objectKey: string): Promise<StoredFile> {
  const meter = createMeter(() => undefined);
  const object = await store.read(objectKey);
  try {
    for await (const _chunk of meter.pass(object));
  } catch (error) {
    throw unavailable(STORAGE_AWAY, error);
  }
  return { objectKey, ...(await meter.read()) };
}

/** Learns what there is to be known of a file while its bytes pass. */
function createMeter(check: Options['check']) {
  const digest = createHash('sha256');
  const head: Buffer[] = [];
  let size = 0;
  async function* pass(file: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      if (size < IMAGE_HEAD_BYTES) head.push(Buffer.from(chunk.subarray(0, IMAGE_HEAD_BYTES - size)));
      size += chunk.length;
      check(size);
      digest.update(chunk);
      yield chunk;
    }
    if (size === 0) throw new AppError('validation_failed', 'The file is empty', { messages: ['The file is empty'] });
  }
  return {
    pass,
    async read() {
      const first = Buffer.concat(head);
      const mimetype = await findType({ bytes: first.subarray(0, HEAD_BYTES), whole: size <= HEAD_BYTES });
      return { size, sha256: digest.digest('hex'), mimetype, image: readImageSize(first, mimetype) };
    },
  };
}

/** 413 that names the limit. */
export function tooLarge(maxBytes: number): AppError {
  return new AppError('too_large', `The file is larger than ${sizeInWords(maxBytes)}`);
}
