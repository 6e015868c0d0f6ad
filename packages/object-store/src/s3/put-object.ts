import { STORE_PART_BYTES } from './config.ts';
import type { S3Client } from './s3-client.ts';
import type { SendPart } from './send-part.ts';

type PutTarget = {
  client: S3Client;
  bucket: string;
  key: string;
  headers: Record<string, string>;
  sendPart: SendPart;
};

/** Runs a request to the object store. Errors of the source are thrown outside of it. */
export type StoreCall = <T>(run: () => Promise<T>) => Promise<T>;

/**
 * Holds at most two parts: one is sent while the next is read. Small objects take one request; a large one that
 * fails leaves no parts behind. For the libraries that were considered, see decision 48.
 */
export async function putObject(target: PutTarget, chunks: AsyncIterable<Buffer>, call: StoreCall): Promise<void> {
  const parts = splitIntoParts(chunks);
  const first = await parts.next();
  if (first.done) return;
  if (first.value.length < STORE_PART_BYTES) {
    await call(() =>
      target.client.putObject(target.bucket, target.key, first.value, first.value.length, target.headers),
    );
    return;
  }
  await putInParts(target, prepend(first.value, parts), call);
}

type SentPart = { part: number; etag: string };

async function putInParts(
  { client, bucket, key, headers, sendPart }: PutTarget,
  parts: AsyncIterable<Buffer>,
  call: StoreCall,
): Promise<void> {
  const storeUploadId = await call(() => client.initiateNewMultipartUpload(bucket, key, headers));
  let sending: Promise<void> | undefined;
  try {
    const sentParts: SentPart[] = [];
    const send = async (body: Buffer, number: number) => {
      const etag = await call(async () => {
        const partEtag = await sendPart({ key, storeUploadId }, { number, size: body.length, body });
        if (partEtag === undefined) throw new Error('The upload no longer exists in the object store');
        return partEtag;
      });
      sentParts.push({ part: number, etag });
    };
    let number = 0;
    for await (const part of parts) {
      await sending;
      number += 1;
      sending = send(part, number);
      // The error is handled later, while the next part is read.
      sending.catch(() => undefined);
    }
    await sending;
    await call(() =>
      client.withTimeoutFor(number * STORE_PART_BYTES).completeMultipartUpload(bucket, key, storeUploadId, sentParts),
    );
  } catch (error) {
    // A part that arrives after the abort would remain.
    await sending?.catch(() => undefined);
    // Best effort: the sweep of stale uploads removes the rest.
    await client.abortMultipartUpload(bucket, key, storeUploadId).catch(() => undefined);
    throw error;
  }
}

/** Two buffers alternate: a part is valid until the second part after it is requested. */
async function* splitIntoParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let buffer = Buffer.allocUnsafeSlow(STORE_PART_BYTES);
  let spare: typeof buffer | undefined;
  let filled = 0;
  for await (const chunk of chunks) {
    let offset = 0;
    while (offset < chunk.length) {
      const copied = chunk.copy(buffer, filled, offset);
      offset += copied;
      filled += copied;
      if (filled < STORE_PART_BYTES) continue;
      yield buffer;
      [buffer, spare] = [spare ?? Buffer.allocUnsafeSlow(STORE_PART_BYTES), buffer];
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
