import { type KV, type KvEntry, Kvm } from '@nats-io/kv';
import { type Messaging, streamInfo } from '../messaging/messaging.ts';
import { followStream } from '../messaging/stream-follower.ts';
import type { Logger } from '../observability/logger.ts';

/** Opens a bucket. Throws `StreamMissing` where it does not exist. Its owner alone writes to it. */
export async function openBucket(messaging: Messaging, name: string): Promise<KV> {
  await streamInfo(messaging, `KV_${name}`);
  return new Kvm(messaging.js).open(name);
}

/** The key by which its owner says that a bucket has everything; `{}` is its value. */
export const COMPLETE = 'complete';

/** Which bucket it is, and whether its owner has said that everything is in it: one that came back empty is another and is not complete. */
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

/** Says that a bucket has everything. For its owner, once the last value is in it. */
export async function markComplete(messaging: Messaging, name: string): Promise<void> {
  await (await openBucket(messaging, name)).put(COMPLETE, '{}');
}

export type Feed = {
  /** The revision up to which everything has been handed over. */
  revision(): number;
  close(): Promise<void>;
};

type Options = {
  messaging: Messaging;
  bucket: string;
  put: (entry: KvEntry) => void;
  /** The bucket came back empty: what was handed over stands, and its owner has to fill it again. */
  onEmptied: () => void;
  log: Logger;
};

/** Hands over every value of a bucket, and each that comes; resolves once what was there has been handed over. */
export async function followBucket({ messaging, bucket, put, onEmptied, log }: Options): Promise<Feed> {
  const stream = `KV_${bucket}`;
  let revision = 0;
  const { promise: caughtUp, resolve } = Promise.withResolvers<void>();
  const follow = async () => {
    const opened = await openBucket(messaging, bucket);
    const { created: streamCreatedAt, state } = await messaging.manager.streams.info(stream);
    // An empty bucket sends nothing: there is nothing to catch up with.
    if (state.messages === 0) resolve();
    const watch = await opened.watch();
    revision = 0;
    const noted = (entry: KvEntry) => {
      revision = entry.revision;
      // `delta` counts what is still to come of what was there when the watch began.
      if (entry.delta === 0) resolve();
    };
    return { streamCreatedAt, ended: pump(watch, put, log, noted), close: () => watch.stop() };
  };
  const following = await followStream({ messaging, stream, follow, caughtUp, onRecreated: onEmptied, log });
  return { revision: () => revision, close: following.close };
}

async function pump(
  entries: AsyncIterable<KvEntry>,
  put: (entry: KvEntry) => void,
  log: Logger,
  noted: (entry: KvEntry) => void,
): Promise<void> {
  for await (const entry of entries) {
    try {
      if (entry.operation === 'PUT') put(entry);
    } catch (error) {
      log.error({ err: error, key: entry.key }, 'an entry of the directory does not fit and is left out');
    }
    noted(entry);
  }
}
