import type { Readable } from 'node:stream';
import { unavailable } from '@atrium/service-kit/errors/app-error';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { createAvailability, hasCode, isPermanentError } from './availability.ts';
import { createBucketCheck, encryptionHeaders, ensureLifecycleRule } from './bucket.ts';
import type { S3Config } from './config.ts';
import { createPartStore, type PartStore } from './part-store.ts';
import { createClockSkew, createLinkSigner, type LinkTarget } from './presign.ts';
import { putObject } from './put-object.ts';
import type { S3Client } from './s3-client.ts';
import { createPartSender } from './send-part.ts';

export const STORAGE_UNAVAILABLE = 'File storage is not available right now. Please try again in a moment.';

const CALL_TIMEOUT_MS = 10_000;
const PROBE_INTERVAL_MS = 2_000;

export type StoredObject = { key: string; modified: Date };

/**
 * Calls throw `unavailable` (503) while the store cannot be reached, unless they say otherwise. Permanent errors, such as
 * an invalid key, are passed on.
 */
export type ObjectStore = {
  available(): boolean;
  /** Throws `unavailable` while the store is known to be unavailable. */
  assertAvailable(): void;
  put(key: string, chunks: AsyncIterable<Buffer>): Promise<void>;
  read(key: string): Promise<Readable>;
  remove(key: string): Promise<void>;
  has(key: string): Promise<boolean>;
  parts: PartStore;
  /**
   * Copies an object of any service, of at most 5 GB; returns whether it existed. After a failure, the store may still
   * complete the copy.
   */
  copy(from: { key: string; bytes: number }, to: string): Promise<boolean>;
  list(): AsyncIterable<StoredObject>;
  /** Aborts store uploads that started before `before`, except those of the excluded keys. */
  abortStaleUploads(before: Date, excludedKeys: ReadonlySet<string>): Promise<void>;
  /** Returns undefined while the store is unavailable. */
  link(target: LinkTarget): string | undefined;
  onAvailable(listener: () => void): void;
  close(): void;
};

/** `prefix` ends with a slash: each service has its own, so that services can share a bucket. */
type Options = { config: S3Config; prefix: string; log: Logger };

export function createObjectStore({ config, prefix, log }: Options): ObjectStore {
  const bucket = config.S3_BUCKET;
  // Loaded lazily: the client library takes a quarter of an idle process's memory.
  let loaded: Promise<S3Client> | undefined;
  const load = () => {
    loaded ??= import('./s3-client.ts').then(({ createS3Client }) => createS3Client(config, CALL_TIMEOUT_MS));
    return loaded;
  };
  const sign = createLinkSigner(config);
  const clock = createClockSkew();
  const bucketExists = createBucketCheck(config, clock);
  const state = createAvailability(log);
  const headers = encryptionHeaders(config);
  const sendPart = createPartSender(config, clock);
  let lifecycleRule: Promise<void> | undefined;

  const probe = () =>
    state.watch(async () => {
      if (!(await bucketExists())) await (await load()).makeBucket(bucket, config.S3_REGION);
      lifecycleRule ??= ensureLifecycleRule({ load, config, prefix, log });
      await lifecycleRule;
    });
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      // The probe distinguishes an unavailable store from an error of this call.
      void probe();
      throw isPermanentError(error) ? error : unavailable(STORAGE_UNAVAILABLE, error);
    }
  };
  const timer = setInterval(() => void probe(), PROBE_INTERVAL_MS).unref();
  void probe();

  return {
    available: state.available,
    assertAvailable() {
      if (!state.available()) throw unavailable(STORAGE_UNAVAILABLE);
    },
    put: async (key, chunks) => putObject({ client: await load(), bucket, key, headers, sendPart }, chunks, call),
    read: (key) => call(async () => (await load()).getObject(bucket, key)),
    remove: (key) => call(async () => (await load()).removeObject(bucket, key)),
    has: (key) => call(async () => isPresent(await load(), bucket, key)),
    parts: createPartStore({ load, bucket, headers, call, sendPart }),
    copy: (from, to) =>
      call(async () => {
        const client = await load();
        try {
          await client.copy({ bucket, from, to, headers });
          return true;
        } catch (error) {
          if (hasCode(error, 'NoSuchKey')) return false;
          throw error;
        }
      }),
    async *list() {
      const client = await load();
      for await (const item of client.listObjectsV2(bucket, prefix, true)) {
        if (item.name !== undefined && item.lastModified) yield { key: item.name, modified: item.lastModified };
      }
    },
    async abortStaleUploads(before, excludedKeys) {
      const client = await load();
      for await (const { key, uploadId, initiated } of listIncompleteUploads(client, bucket)) {
        if (!key.startsWith(prefix) || initiated >= before || excludedKeys.has(key)) continue;
        await client.abortMultipartUpload(bucket, key, uploadId);
      }
    },
    link: (target) => (state.available() ? sign(target, clock.now()) : undefined),
    onAvailable: state.onAvailable,
    close: () => clearInterval(timer),
  };
}

/** The response to a HEAD request has no body, so errors have no S3 error code. */
async function isPresent(client: S3Client, bucket: string, key: string): Promise<boolean> {
  try {
    await client.statObject(bucket, key);
    return true;
  } catch (error) {
    if (hasCode(error, 'NotFound', 'NoSuchKey')) return false;
    throw error;
  }
}

/**
 * Lists every unfinished multipart upload of the bucket. MinIO supports no prefix here, only full keys, and returns
 * pages of a thousand.
 */
async function* listIncompleteUploads(client: S3Client, bucket: string) {
  let key = '';
  let uploadId = '';
  for (;;) {
    const page = await client.listIncompleteUploadsQuery(bucket, '', key, uploadId, '');
    yield* page.uploads;
    if (!page.isTruncated) return;
    key = page.nextKeyMarker;
    uploadId = page.nextUploadIdMarker;
  }
}
