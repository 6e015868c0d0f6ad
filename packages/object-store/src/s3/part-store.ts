import type { Readable } from 'node:stream';
import { hasCode } from './availability.ts';
import type { StoreCall } from './put-object.ts';
import type { S3Client } from './s3-client.ts';
import type { SendPart, StoreUpload } from './send-part.ts';

export type StoredPart = { number: number; etag: string; size: number };

type NewPart = { number: number; size: number; body: Readable; signal: AbortSignal };

/** Stores objects whose parts arrive in separate requests. The object store keeps the parts until the upload ends. */
export type PartStore = {
  /** Returns the `storeUploadId`. */
  begin(key: string): Promise<string>;
  /** Replaces a part with the same number. Returns its ETag, or undefined if the upload no longer exists. */
  put(upload: StoreUpload, part: NewPart): Promise<string | undefined>;
  /** Returns the parts in order, or undefined if the upload no longer exists, such as after its completion. */
  list(upload: StoreUpload): Promise<StoredPart[] | undefined>;
  /** Does nothing if the upload no longer exists. */
  complete(upload: StoreUpload, parts: readonly StoredPart[]): Promise<void>;
  /** Never rejects, because the sweep removes remaining parts. */
  abort(upload: StoreUpload): Promise<void>;
};

type Options = {
  load: () => Promise<S3Client>;
  bucket: string;
  headers: Record<string, string>;
  call: StoreCall;
  sendPart: SendPart;
};

export function createPartStore({ load, bucket, headers, call, sendPart }: Options): PartStore {
  return {
    begin: (key) => call(async () => (await load()).initiateNewMultipartUpload(bucket, key, headers)),
    put: (upload, part) => call(() => sendPart(upload, part)),
    list: ({ key, storeUploadId }) =>
      call(() =>
        undefinedIfMissing(async () => {
          const parts = await (await load()).listUploadParts(bucket, key, storeUploadId);
          return parts.map(({ part, etag, size }) => ({ number: part, etag, size }));
        }),
      ),
    async complete({ key, storeUploadId }, parts) {
      const etags = parts.map(({ number, etag }) => ({ part: number, etag }));
      const bytes = parts.reduce((sum, { size }) => sum + size, 0);
      await call(() =>
        undefinedIfMissing(async () =>
          (await load()).withTimeoutFor(bytes).completeMultipartUpload(bucket, key, storeUploadId, etags),
        ),
      );
    },
    abort: async ({ key, storeUploadId }) =>
      (await load()).abortMultipartUpload(bucket, key, storeUploadId).catch(() => undefined),
  };
}

async function undefinedIfMissing<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (hasCode(error, 'NoSuchUpload')) return undefined;
    throw error;
  }
}
