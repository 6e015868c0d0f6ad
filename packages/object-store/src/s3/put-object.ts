import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type S3Access, STORE_PART_BYTES } from './config.ts';
import { type ClockSkew, createSigner } from './presign.ts';
import type { S3Client } from './s3-client.ts';

/** A multipart upload of S3: `storeUploadId` is the id that the object store issued. */
export type StoreUpload = { key: string; storeUploadId: string };

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

/** Applies to parts sent from memory. */
const RESPONSE_TIMEOUT_MS = 10_000;
/** Longer than a client may pause within the minimum rate. */
const STALL_TIMEOUT_MS = 60_000;

type Part = { number: number; size: number; body: Readable | Buffer; signal?: AbortSignal };

/**
 * Returns the part's ETag, or undefined if the upload no longer exists. Rejects if the store did not accept it,
 * and when `signal` aborts.
 */
export type SendPart = (upload: StoreUpload, part: Part) => Promise<string | undefined>;

/**
 * The client library needs a whole part in memory and hashes it to sign it; this streams it between two sockets with
 * an unsigned payload. The caller owns `body`.
 */
export function createPartSender(config: S3Access, clock: ClockSkew): SendPart {
  const endpoint = new URL(config.S3_ENDPOINT);
  const sign = createSigner(config, endpoint);
  const { request, Agent } = endpoint.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return async ({ key, storeUploadId }, { number, size, body, signal }) => {
    const url = sign({
      method: 'PUT',
      path: [config.S3_BUCKET, ...key.split('/')],
      query: { partNumber: String(number), uploadId: storeUploadId },
      time: clock.now(),
    });
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const options = { method: 'PUT', agent, headers: { 'content-length': size }, ...(signal && { signal }) };
    const outgoing = request(url, options, resolve);
    outgoing.on('error', reject);
    outgoing.setTimeout(Buffer.isBuffer(body) ? RESPONSE_TIMEOUT_MS : STALL_TIMEOUT_MS, () =>
      outgoing.destroy(new Error('The object store did not respond in time')),
    );
    if (Buffer.isBuffer(body)) {
      outgoing.end(body);
      return parseResponse(await promise, clock);
    }
    // The sender may have disconnected while queued, which emits no further event.
    if (body.destroyed) outgoing.destroy(new Error('The part was not received'));
    const onClose = () =>
      void (body.readableEnded || outgoing.destroy(new Error('The part was received incompletely')));
    body.once('close', onClose);
    try {
      body.pipe(outgoing);
      return await parseResponse(await promise, clock);
    } finally {
      body.off('close', onClose);
      body.unpipe(outgoing);
    }
  };
}

async function parseResponse(response: http.IncomingMessage, clock: ClockSkew): Promise<string | undefined> {
  // Corrects the clock for the signature of the next request.
  clock.update(response.headers.date);
  const xml = await text(response);
  if (response.statusCode === 200) return response.headers.etag?.replaceAll('"', '') ?? '';
  if (xml.includes('<Code>NoSuchUpload</Code>')) return undefined;
  throw new Error(`The object store responded to a part with ${response.statusCode}: ${xml.slice(0, 300)}`);
}
