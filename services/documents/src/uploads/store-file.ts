import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AppError } from '@atrium/service-kit/app-error';
import type { ObjectStore } from '../storage/object-store.ts';
import { findType, HEAD_BYTES } from './find-type.ts';

/** What is known of a file once its last byte has passed. */
export type StoredFile = { objectKey: string; size: number; sha256: string; mimetype: string };

type Options = { store: ObjectStore; objectKey: string; maxBytes: number };

/** Streams a file into the object store, measuring it on the way. */
export async function storeFile(file: Readable, { store, objectKey, maxBytes }: Options): Promise<StoredFile> {
  const digest = createHash('sha256');
  const head: Buffer[] = [];
  let size = 0;
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      if (size < HEAD_BYTES) head.push(Buffer.from(chunk.subarray(0, HEAD_BYTES - size)));
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      digest.update(chunk);
      yield chunk;
    }
    if (size === 0) throw new AppError('validation_failed', 'The file is empty', { messages: ['The file is empty'] });
  }
  await store.put(objectKey, measured());
  const mimetype = await findType({ bytes: Buffer.concat(head), whole: size <= HEAD_BYTES });
  return { objectKey, size, sha256: digest.digest('hex'), mimetype };
}

/** 413 that names the limit. */
export function tooLarge(maxBytes: number): AppError {
  return new AppError('too_large', `The file is larger than ${sizeInWords(maxBytes)}`);
}

const UNITS = ['Bytes', 'KB', 'MB', 'GB'];

/** The units of the specification, section 9. */
function sizeInWords(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${UNITS[power]}`;
}
