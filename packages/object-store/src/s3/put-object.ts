import { PART_BYTES } from './part-limits.ts';
import type { PartsClient } from './s3-client.ts';
import type { SendPart } from './send-part.ts';

/** `headers` go with what begins an object. */
export type UploadTarget = { client: PartsClient; bucket: string; key: string; headers: Record<string, string> };
type Sending = UploadTarget & { sendPart: SendPart };

/** Runs one call of the object store; lets the owner tell its failures from those of the source. */
export type Call = <T>(run: () => Promise<T>) => Promise<T>;

/**
 * Writes an object of unknown length from its chunks, holding at most two parts: one is sent while the next one comes. Small ones go in
 * one request; a large one whose source or store fails leaves no parts behind. Which libraries were measured, and why none does this: decision 48.
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
        if (tag === undefined) throw new Error('the object store does not know the upload any more');
        return tag;
      });
      done.push({ part: number, etag });
    };
    let number = 0;
    for await (const payload of parts) {
      await sending;
      number += 1;
      sending = send(payload, number);
      // Nobody may be there to hear of it while the next one comes.
      sending.catch(() => undefined);
    }
    await sending;
    await call(() => client.over(number * PART_BYTES).completeMultipartUpload(bucket, key, uploadId, done));
  } catch (error) {
    // A part that comes after the end of its upload would stay.
    await sending?.catch(() => undefined);
    // Best effort: what cannot be given up now goes with the sweep of stale uploads.
    await client.abortMultipartUpload(bucket, key, uploadId).catch(() => undefined);
    throw error;
  }
}

/** Cuts chunks of any size into parts. Two buffers take turns: a part is valid until the next but one is asked for. */
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
