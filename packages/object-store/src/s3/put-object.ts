import type { Client } from 'minio';

/** Size of a part: the smallest that S3 takes, as each upload under way holds one in memory. */
export const PART_BYTES = 5 * 1024 * 1024;
/** How many parts S3 takes for one object. */
export const MAX_PARTS = 10_000;

/** `headers` go with what begins an object. */
export type Target = { client: Client; bucket: string; key: string; headers: Record<string, string> };

/** Runs one call of the object store; lets the owner tell its failures from those of the source. */
export type Call = <T>(run: () => Promise<T>) => Promise<T>;

/**
 * Writes an object of unknown length from its chunks, holding at most one part. Small ones go in one request; a large one whose
 * source or store fails leaves no parts behind. The library's own stream upload hangs when its source fails, so it is not used.
 */
export async function putObject(target: Target, chunks: AsyncIterable<Buffer>, call: Call): Promise<void> {
  const parts = intoParts(chunks);
  const first = await parts.next();
  if (first.done) return;
  if (first.value.length < PART_BYTES) {
    await call(() =>
      target.client.putObject(target.bucket, target.key, first.value, first.value.length, target.headers),
    );
    return;
  }
  await putInParts(target, prepend(first.value, parts), call);
}

type Part = { part: number; etag: string };

async function putInParts(
  { client, bucket, key, headers }: Target,
  parts: AsyncIterable<Buffer>,
  call: Call,
): Promise<void> {
  const uploadId = await call(() => client.initiateNewMultipartUpload(bucket, key, headers));
  try {
    const done: Part[] = [];
    for await (const payload of parts) {
      const partNumber = done.length + 1;
      const config = { bucketName: bucket, objectName: key, uploadID: uploadId, partNumber, headers: {} };
      const { etag } = await call(() => client.uploadPart(config, payload));
      done.push({ part: partNumber, etag });
    }
    await call(() => client.completeMultipartUpload(bucket, key, uploadId, done));
  } catch (error) {
    // Best effort: what cannot be given up now goes with the sweep of stale uploads.
    await client.abortMultipartUpload(bucket, key, uploadId).catch(() => undefined);
    throw error;
  }
}

/** Cuts chunks of any size into parts. The buffer is used again: a part is valid until the next one is asked for. */
async function* intoParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  const buffer = Buffer.allocUnsafeSlow(PART_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    let taken = 0;
    while (taken < chunk.length) {
      const copied = chunk.copy(buffer, filled, taken);
      taken += copied;
      filled += copied;
      if (filled < PART_BYTES) continue;
      yield buffer;
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
