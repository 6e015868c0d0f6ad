import { type KV, type KvEntry, Kvm } from '@nats-io/kv';
import type { Logger } from './logger.ts';
import type { Messaging } from './messaging.ts';
import { widenStream } from './streams.ts';

/** Opens a bucket, making it if it is not there. The last value of each key is kept for ever. Its owner alone writes it. */
export async function openBucket(messaging: Messaging, name: string, owner: string): Promise<KV> {
  const { replicas } = messaging;
  const bucket = await new Kvm(messaging.js).create(name, { history: 1, replicas });
  if (owner === messaging.service) await widenStream(messaging.manager, `KV_${name}`, { num_replicas: replicas });
  return bucket;
}

export type Feed = {
  /** The revision up to which everything has been handed over. */
  revision(): number;
  close(): void;
};

/** Hands over every value of a bucket, and each that comes; resolves once what was there has been handed over. */
export async function followBucket(bucket: KV, put: (entry: KvEntry) => void, log: Logger): Promise<Feed> {
  const { promise: caughtUp, resolve } = Promise.withResolvers<void>();
  const watch = await bucket.watch();
  let revision = 0;
  const noted = (entry: KvEntry) => {
    revision = entry.revision;
    // `delta` counts what is still to come of what was there when the watch began.
    if (entry.delta === 0) resolve();
  };
  void pump(watch, put, log, noted);
  // An empty bucket sends nothing: there is nothing to catch up with.
  if ((await bucket.status()).values === 0) resolve();
  await caughtUp;
  return { revision: () => revision, close: () => void watch.stop() };
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
