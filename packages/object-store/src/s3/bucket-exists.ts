import http from 'node:http';
import https from 'node:https';
import type { ClockSkew } from './clock-skew.ts';
import type { S3Access } from './config.ts';
import { createSigner } from './presign.ts';

const TIMEOUT_MS = 5_000;

/**
 * Asks the object store for its bucket, as often as one likes: one small request. Rejects when there is no sound answer. By its location,
 * because a HEAD asks for the right to list all of the bucket.
 */
export function createBucketCheck(config: S3Access, clock: ClockSkew): () => Promise<boolean> {
  const endpoint = new URL(config.S3_ENDPOINT);
  const sign = createSigner(config, endpoint);
  const { request, Agent } = endpoint.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async () => {
    const url = sign({ method: 'GET', path: [config.S3_BUCKET], query: { location: '' }, time: clock.now() });
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const outgoing = request(url, { agent }, resolve);
    outgoing.on('error', reject);
    outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error('the object store gave no answer in time')));
    outgoing.end();
    const answer = await promise;
    answer.resume();
    return { status: answer.statusCode, isClockUpdated: clock.update(answer.headers.date) };
  };
  return async () => {
    const first = await ask();
    // Signed by a clock that the store does not share.
    const { status } = first.status === 403 && first.isClockUpdated ? await ask() : first;
    if (status === 200) return true;
    if (status === 404) return false;
    throw new Error(`the object store answered ${status}`);
  };
}
