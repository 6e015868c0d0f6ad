import http from 'node:http';
import https from 'node:https';
import { Client } from 'minio';
import type { S3Config } from './config.ts';

/** The library keeps to itself how to find which parts of an upload are there. */
export class PartsClient extends Client {
  partsOf = (bucket: string, key: string, uploadId: string) => this.listParts(bucket, key, uploadId);
}

/**
 * A client whose every request gives up after `timeoutMs` of silence. It never retries by itself: callers decide, and the
 * library's own retry writes to the console.
 */
export function createS3Client(
  config: Pick<S3Config, 'S3_ENDPOINT' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY' | 'S3_REGION'>,
  timeoutMs: number,
): PartsClient {
  const { hostname, port, protocol } = new URL(config.S3_ENDPOINT);
  const useSSL = protocol === 'https:';
  const { Agent, request } = useSSL ? https : http;
  return new PartsClient({
    endPoint: hostname,
    ...(port !== '' && { port: Number(port) }),
    useSSL,
    accessKey: config.S3_ACCESS_KEY,
    secretKey: config.S3_SECRET_KEY,
    // With the region given, no request is ever made to find it.
    region: config.S3_REGION,
    pathStyle: true,
    retryOptions: { disableRetry: true },
    transportAgent: new Agent({ keepAlive: true, maxSockets: 64 }),
    transport: {
      request: (options: https.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
        const outgoing = request(options, onResponse);
        return outgoing.setTimeout(timeoutMs, () =>
          outgoing.destroy(new Error('the object store gave no answer in time')),
        );
      },
    } as typeof http,
  });
}
