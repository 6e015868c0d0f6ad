import type { Readable } from 'node:stream';
import { hasCode } from './availability.ts';
import type { Call, SendPart } from './put-object.ts';
import type { PartsClient } from './s3-client.ts';

export type StoredPart = { number: number; etag: string; size: number };

type PartUpload = { number: number; size: number; body: Readable; signal: AbortSignal };

export type PartedObject = { key: string; uploadId: string };

/** Stores objects that are uploaded in parts by separate requests. Parts are kept until the upload completes or aborts. */
export type PartStore = {
  begin(key: string): Promise<string>;
  /** Replaces a part with the same number. Returns its ETag, or undefined if the upload no longer exists. */
  put(object: PartedObject, part: PartUpload): Promise<string | undefined>;
  /** Returns the parts in order, or undefined if the upload no longer exists, such as after its completion. */
  list(object: PartedObject): Promise<StoredPart[] | undefined>;
  /** Does nothing if the upload no longer exists. */
  complete(object: PartedObject, parts: readonly StoredPart[]): Promise<void>;
  /** Never rejects, because the sweep removes remaining parts. */
  abort(object: PartedObject): Promise<void>;
};

type Options = {
  load: () => Promise<PartsClient>;
  bucket: string;
  headers: Record<string, string>;
  call: Call;
  sendPart: SendPart;
};

export function createPartStore({ load, bucket, headers, call, sendPart }: Options): PartStore {
  return {
    begin: (key) => call(async () => (await load()).initiateNewMultipartUpload(bucket, key, headers)),
    put: (object, part) => call(() => sendPart(object, part)),
    list: ({ key, uploadId }) =>
      call(() =>
        undefinedIfMissing(async () => {
          const parts = await (await load()).listUploadParts(bucket, key, uploadId);
          return parts.map(({ part, etag, size }) => ({ number: part, etag, size }));
        }),
      ),
    async complete({ key, uploadId }, parts) {
      const etags = parts.map(({ number, etag }) => ({ part: number, etag }));
      const bytes = parts.reduce((sum, { size }) => sum + size, 0);
      await call(() =>
        undefinedIfMissing(async () =>
          (await load()).withTimeoutFor(bytes).completeMultipartUpload(bucket, key, uploadId, etags),
        ),
      );
    },
    abort: async ({ key, uploadId }) =>
      (await load()).abortMultipartUpload(bucket, key, uploadId).catch(() => undefined),
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
