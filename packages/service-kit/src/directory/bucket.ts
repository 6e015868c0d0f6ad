import { type KV, type KvEntry, Kvm } from '@nats-io/kv';
import { type Messaging, streamInfo } from '../messaging/messaging.ts';
import { followStream } from '../messaging/stream-follower.ts';
import type { Logger } from '../observability/logger.ts';

/** Throws `StreamNotFoundError` if the bucket does not exist. Only its owner writes to it. */
export async function openBucket(messaging: Messaging, name: string): Promise<KV> {
  await streamInfo(messaging, `KV_${name}`);
  return new Kvm(messaging.js).open(name);
}

/** Key that marks a bucket as complete. */
export const COMPLETE = 'complete';

/**
 * Reads when the bucket was created, and whether its owner has marked it as complete. After data loss, it is a
 * different bucket and incomplete.
 */
export async function readBucketState(
  messaging: Messaging,
  name: string,
): Promise<{ streamCreatedAt: string; isComplete: boolean }> {
  const key = `$KV.${name}.${COMPLETE}`;
  const { created: streamCreatedAt, state } = await messaging.manager.streams.info(`KV_${name}`, {
    subjects_filter: key,
  });
  return { streamCreatedAt, isComplete: state.subjects?.[key] !== undefined };
}

export async function markComplete(messaging: Messaging, name: string): Promise<void> {
  await (await openBucket(messaging, name)).put(COMPLETE, '{}');
}

type BucketFollower = {
  revision(): number;
  close(): Promise<void>;
};

type Options = {
  messaging: Messaging;
  bucket: string;
  put: (entry: KvEntry) => void;
  /** Called when the bucket was recreated empty: delivered values remain valid, and its owner must refill it. */
  onEmptied: () => void;
  log: Logger;
};

/** Follows the values of a bucket. Resolves once the existing ones have been delivered. */
export async function followBucket({ messaging, bucket, put, onEmptied, log }: Options): Promise<BucketFollower> {
  const stream = `KV_${bucket}`;
  let revision = 0;
  const { promise: caughtUp, resolve } = Promise.withResolvers<void>();
  const follow = async () => {
    const kv = await openBucket(messaging, bucket);
    const { created: streamCreatedAt, state } = await messaging.manager.streams.info(stream);
    // An empty bucket sends nothing, so there is nothing to catch up with.
    if (state.messages === 0) resolve();
    const watch = await kv.watch();
    revision = 0;
    const onDelivered = (entry: KvEntry) => {
      revision = entry.revision;
      // `delta` counts the remaining entries that existed when the watch began.
      if (entry.delta === 0) resolve();
    };
    return { streamCreatedAt, ended: pump(watch, put, log, onDelivered), close: () => watch.stop() };
  };
  const following = await followStream({ messaging, stream, follow, caughtUp, onRecreated: onEmptied, log });
  return { revision: () => revision, close: following.close };
}

async function pump(
  entries: AsyncIterable<KvEntry>,
  put: (entry: KvEntry) => void,
  log: Logger,
  onDelivered: (entry: KvEntry) => void,
): Promise<void> {
  for await (const entry of entries) {
    try {
      if (entry.operation === 'PUT') put(entry);
    } catch (error) {
      log.error({ err: error, key: entry.key }, 'Skipped an invalid directory entry');
    }
    onDelivered(entry);
  }
}
