import type { Readable } from 'node:stream';
import type { Call } from './put-object.ts';
import type { PartsClient } from './s3-client.ts';
import type { SendPart } from './send-part.ts';

export type StoredPart = { number: number; etag: string; size: number };

type ComingPart = {
  number: number;
  size: number;
  body: Readable;
  signal: AbortSignal;
};

/** An object that comes in parts: its key, and what the store calls its upload. */
export type PartedObject = { key: string; uploadId: string };

/**
 * Objects whose parts come by calls of their own. The store alone knows which are there, and puts them together; it holds them for as
 * long as nobody gives them up.
 */
export type PartStore = {
  /** Answers what the store calls the upload. */
  begin(key: string): Promise<string>;
  /** Streams a part of so many bytes; another one of that number is replaced. Answers what the store calls it, or undefined where that does not know the upload any more. */
  put(object: PartedObject, part: ComingPart): Promise<string | undefined>;
  /** What is there, in order; undefined where the store knows no such upload any more, as once it is complete. */
  list(object: PartedObject): Promise<StoredPart[] | undefined>;
  /** Makes the object. Nothing happens where the store does not know the upload any more. */
  complete(object: PartedObject, parts: readonly StoredPart[]): Promise<void>;
  /** Lets go of what has arrived. Best effort: what stays goes with the sweep. */
  giveUp(object: PartedObject): Promise<void>;
};

type Options = {
  load: () => Promise<PartsClient>;
  bucket: string;
  /** Go with what begins an object. */
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
        unlessGone(async () => {
          const parts = await (await load()).partsOf(bucket, key, uploadId);
          return parts.map(({ part, etag, size }) => ({ number: part, etag, size }));
        }),
      ),
    async complete({ key, uploadId }, parts) {
      const etags = parts.map(({ number, etag }) => ({ part: number, etag }));
      const bytes = parts.reduce((sum, { size }) => sum + size, 0);
      await call(() =>
        unlessGone(async () => (await load()).over(bytes).completeMultipartUpload(bucket, key, uploadId, etags)),
      );
    },
    giveUp: async ({ key, uploadId }) =>
      (await load()).abortMultipartUpload(bucket, key, uploadId).catch(() => undefined),
  };
}

async function unlessGone<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NoSuchUpload') return undefined;
    throw error;
  }
}
