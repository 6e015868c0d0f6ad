import { PART_BYTES } from './part-limits.ts';
import type { PartsClient } from './s3-client.ts';
import type { SendPart } from './send-part.ts';

/** `headers` are sent when an object is created. */
export type UploadTarget = { client: PartsClient; bucket: string; key: string; headers: Record<string, string> };
type Sending = UploadTarget & { sendPart: SendPart };

/** Runs one request to the object store; separates its failures from those of the source. */
export type Call = <T>(run: () => Promise<T>) => Promise<T>;

/**
 * Writes an object of unknown length from its chunks, holding at most two parts: one is sent while the next is read.
 * Small objects take one request; a large one that fails leaves no parts behind. For the libraries that were
 * considered, see decision 48.
 */
export async function putObject(target: Sending, chunks: AsyncIterable<Buffer>, call: Call): Promise<void> {
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
  { client, bucket, key, headers, sendPart }: Sending,
  parts: AsyncIterable<Buffer>,
  call: Call,
): Promise<void> {
  const uploadId = await call(() => client.initiateNewMultipartUpload(bucket, key, headers));
  let sending: Promise<void> | undefined;
  try {
    const done: Part[] = [];
    const send = async (body: Buffer, number: number) => {
      const etag = await call(async () => {
        const tag = await sendPart({ key, uploadId }, { number, size: body.length, body });
        if (tag === undefined) throw new Error('The upload no longer exists in the object store');
        return tag;
      });
      done.push({ part: number, etag });
    };
    let number = 0;
    for await (const payload of parts) {
      await sending;
      number += 1;
      sending = send(payload, number);
      // The error is handled later, while the next part is read.
      sending.catch(() => undefined);
    }
    await sending;
    await call(() => client.over(number * PART_BYTES).completeMultipartUpload(bucket, key, uploadId, done));
  } catch (error) {
    // A part that arrives after the abort would remain.
    await sending?.catch(() => undefined);
    // Best effort: the sweep of stale uploads removes the rest.
    await client.abortMultipartUpload(bucket, key, uploadId).catch(() => undefined);
    throw error;
  }
}

/** Splits chunks of any size into parts. Two buffers alternate: a part is valid until the next but one is requested. */
async function* intoParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let buffer = Buffer.allocUnsafeSlow(PART_BYTES);
  let other: typeof buffer | undefined;
  let filled = 0;
  for await (const chunk of chunks) {
    let taken = 0;
    while (taken < chunk.length) {
      const copied = chunk.copy(buffer, filled, taken);
      taken += copied;
      filled += copied;
      if (filled < PART_BYTES) continue;
      yield buffer;
      [buffer, other] = [other ?? Buffer.allocUnsafeSlow(PART_BYTES), buffer];
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
