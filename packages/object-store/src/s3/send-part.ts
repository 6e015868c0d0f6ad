import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { S3Access } from './config.ts';
import { type ClockSkew, createSigner } from './presign.ts';

/** A multipart upload of S3: `storeUploadId` is the id that the object store issued. */
export type StoreUpload = { key: string; storeUploadId: string };

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
