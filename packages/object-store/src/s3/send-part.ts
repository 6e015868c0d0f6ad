import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ClockSkew } from './clock-skew.ts';
import type { S3Access } from './config.ts';
import { createSigner } from './presign.ts';

/** Of a store that has all that it is to take at once. */
const ANSWER_MS = 10_000;
/** Longer than a client may pause without being too slow. */
const SILENCE_MS = 60_000;

type Part = {
  number: number;
  size: number;
  body: Readable | Buffer;
  signal?: AbortSignal;
  /** Hears every byte of a stream on its way. */
};

/**
 * Sends a part, a stream as it comes; answers its tag, or undefined where the store does not know the upload any more. Rejects when it did
 * not take it, and when `signal` aborts.
 */
export type SendPart = (object: { key: string; uploadId: string }, part: Part) => Promise<string | undefined>;

/**
 * The client library takes a part only whole and in memory, and hashes it to sign it, as the store does to check that; this holds what is
 * between two sockets, and signs that there is a part alone. The caller owns `body`.
 */
export function createPartSender(config: S3Access, clock: ClockSkew): SendPart {
  const endpoint = new URL(config.S3_ENDPOINT);
  const sign = createSigner(config, endpoint);
  const { request, Agent } = endpoint.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return async ({ key, uploadId }, { number, size, body, signal }) => {
    const url = sign({
      method: 'PUT',
      path: [config.S3_BUCKET, ...key.split('/')],
      query: { partNumber: String(number), uploadId },
      time: clock.now(),
    });
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const options = { method: 'PUT', agent, headers: { 'content-length': size }, ...(signal && { signal }) };
    const outgoing = request(url, options, resolve);
    outgoing.on('error', reject);
    outgoing.setTimeout(Buffer.isBuffer(body) ? ANSWER_MS : SILENCE_MS, () =>
      outgoing.destroy(new Error('the object store gave no answer in time')),
    );
    if (Buffer.isBuffer(body)) {
      outgoing.end(body);
      return parseResponse(await promise, clock);
    }
    // Its sender may have gone while it waited for its turn, and nothing tells of that again.
    if (body.destroyed) outgoing.destroy(new Error('the part did not come'));
    const gone = () => void (body.readableEnded || outgoing.destroy(new Error('the part did not come whole')));
    body.once('close', gone);
    try {
      body.pipe(outgoing);
      return await parseResponse(await promise, clock);
    } finally {
      body.off('close', gone);
      body.unpipe(outgoing);
    }
  };
}

async function parseResponse(answer: http.IncomingMessage, clock: ClockSkew): Promise<string | undefined> {
  // Signed by a clock that the store does not share: right the next time.
  clock.update(answer.headers.date);
  const xml = await text(answer);
  if (answer.statusCode === 200) return answer.headers.etag?.replaceAll('"', '') ?? '';
  if (xml.includes('<Code>NoSuchUpload</Code>')) return undefined;
  throw new Error(`the object store answered a part with ${answer.statusCode}: ${xml.slice(0, 300)}`);
}
