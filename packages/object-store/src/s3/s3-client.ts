import http from 'node:http';
import https from 'node:https';
import { Client, type ClientOptions, CopyDestinationOptions, CopySourceOptions } from 'minio';
import type { S3Config } from './config.ts';

/** A store that processes data more slowly before it responds counts as unavailable. */
const MIN_PROCESSED_BYTES_PER_MS = (2 * 1024 * 1024) / 1000;

type CopyParams = {
  bucket: string;
  from: { key: string; bytes: number };
  to: string;
  headers: Record<string, string>;
};

export class S3Client extends Client {
  /** Returns a client with a longer timeout, for a request that makes the store process `bytes` before it responds. */
  readonly withTimeoutFor: (bytes: number) => S3Client;

  constructor(options: ClientOptions, withTimeoutFor: S3Client['withTimeoutFor']) {
    super(options);
    this.withTimeoutFor = withTimeoutFor;
  }

  async copy({ bucket, from, to, headers }: CopyParams): Promise<void> {
    const destination = new CopyDestinationOptions({ Bucket: bucket, Object: to, Headers: headers });
    await this.withTimeoutFor(from.bytes).copyObject(
      new CopySourceOptions({ Bucket: bucket, Object: from.key }),
      destination,
    );
  }

  listUploadParts = (bucket: string, key: string, uploadId: string) => this.listParts(bucket, key, uploadId);
}

/**
 * Requests time out after `timeoutMs` without data. The client never retries: callers decide, and the library's retries
 * would write to the console.
 */
export function createS3Client(
  config: Pick<S3Config, 'S3_ENDPOINT' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY' | 'S3_REGION'>,
  timeoutMs: number,
): S3Client {
  const { hostname, port, protocol } = new URL(config.S3_ENDPOINT);
  const useSSL = protocol === 'https:';
  const { Agent, request } = useSSL ? https : http;
  const options: ClientOptions = {
    endPoint: hostname,
    ...(port !== '' && { port: Number(port) }),
    useSSL,
    accessKey: config.S3_ACCESS_KEY,
    secretKey: config.S3_SECRET_KEY,
    // An explicit region saves the request that would determine it.
    region: config.S3_REGION,
    pathStyle: true,
    retryOptions: { disableRetry: true },
    transportAgent: new Agent({ keepAlive: true, maxSockets: 64 }),
  };
  const transport = (stallTimeoutMs: number) => ({
    request: (requestOptions: https.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
      const outgoing = request(requestOptions, onResponse);
      return outgoing.setTimeout(stallTimeoutMs, () =>
        outgoing.destroy(new Error('The object store did not respond in time')),
      );
    },
  });
  const open = (stallTimeoutMs: number): S3Client =>
    new S3Client({ ...options, transport: transport(stallTimeoutMs) as typeof http }, (bytes) =>
      open(stallTimeoutMs + Math.ceil(bytes / MIN_PROCESSED_BYTES_PER_MS)),
    );
  return open(timeoutMs);
}
