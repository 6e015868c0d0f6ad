import http from 'node:http';
import https from 'node:https';
import type { S3Config } from '../config.ts';
import { createSigner } from './presign.ts';

const TIMEOUT_MS = 5_000;

/** Asks the object store for its bucket, as often as one likes: one small request. Rejects when there is no sound answer. */
export function bucketIsThere(config: S3Config): () => Promise<boolean> {
  const endpoint = new URL(config.S3_ENDPOINT);
  const sign = createSigner(config, endpoint);
  const { request, Agent } = endpoint.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async () => {
    const url = sign({ method: 'HEAD', path: [config.S3_BUCKET], time: new Date() });
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const outgoing = request(url, { method: 'HEAD', agent }, resolve);
    outgoing.on('error', reject);
    outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error('the object store gave no answer in time')));
    outgoing.end();
    const answer = await promise;
    answer.resume();
    if (answer.statusCode === 200) return true;
    if (answer.statusCode === 404) return false;
    throw new Error(`the object store answered ${answer.statusCode}`);
  };
}
