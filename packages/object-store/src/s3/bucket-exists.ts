import http from 'node:http';
import https from 'node:https';
import type { ClockSkew } from './clock-skew.ts';
import type { S3Access } from './config.ts';
import { createSigner } from './presign.ts';

const TIMEOUT_MS = 5_000;

/**
 * Checks whether the bucket exists, with one small request. Rejects without a valid response. Requests its location,
 * because HEAD requires the permission to list the whole bucket.
 */
export function createBucketCheck(config: S3Access, clock: ClockSkew): () => Promise<boolean> {
  const endpoint = new URL(config.S3_ENDPOINT);
  const sign = createSigner(config, endpoint);
  const { request, Agent } = endpoint.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const requestLocation = async () => {
    const url = sign({ method: 'GET', path: [config.S3_BUCKET], query: { location: '' }, time: clock.now() });
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const outgoing = request(url, { agent }, resolve);
    outgoing.on('error', reject);
    outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error('The object store did not respond in time')));
    outgoing.end();
    const response = await promise;
    response.resume();
    return { status: response.statusCode, isClockUpdated: clock.update(response.headers.date) };
  };
  return async () => {
    const first = await requestLocation();
    const { status } = first.status === 403 && first.isClockUpdated ? await requestLocation() : first;
    if (status === 200) return true;
    if (status === 404) return false;
    throw new Error(`The object store responded ${status}`);
  };
}
