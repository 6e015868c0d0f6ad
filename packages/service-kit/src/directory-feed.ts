import {
  type DirectoryDepartment,
  type DirectoryUser,
  directoryDepartment,
  directoryUser,
} from '@atrium/proto-events/people';
import { type KV, type KvEntry, Kvm } from '@nats-io/kv';
import type { Directory } from './directory.ts';
import type { Logger } from './logger.ts';
import type { Messaging } from './messaging.ts';

/** Opens the bucket, making it if it is not there. The last value of each key is kept for ever. */
export async function openDirectoryBucket(messaging: Messaging): Promise<KV> {
  return new Kvm(messaging.js).create(messaging.directoryBucket, { history: 1, replicas: messaging.replicas });
}

/** Key of a person in the bucket. */
export const userKey = (id: string) => `user.${id}`;
/** Key of a department in the bucket. */
export const departmentKey = (id: string) => `department.${id}`;

/** Fills the directory from the bucket and keeps it up to date; resolves once it has caught up with what was there. */
export async function feedDirectory(
  directory: Directory,
  messaging: Messaging,
  log: Logger,
): Promise<{ close(): void }> {
  const bucket = await openDirectoryBucket(messaging);
  const { promise: caughtUp, resolve } = Promise.withResolvers<void>();
  const watch = await bucket.watch();
  void pump(watch, directory, log, resolve);
  // An empty bucket sends nothing: there is nothing to catch up with.
  if ((await bucket.status()).values === 0) resolve();
  await caughtUp;
  return { close: () => void watch.stop() };
}

async function pump(
  entries: AsyncIterable<KvEntry>,
  directory: Directory,
  log: Logger,
  caughtUp: () => void,
): Promise<void> {
  for await (const entry of entries) {
    try {
      if (entry.operation === 'PUT') put(entry, directory);
    } catch (error) {
      log.error({ err: error, key: entry.key }, 'an entry of the directory does not fit and is left out');
    }
    // `delta` counts what is still to come of what was there when the watch began.
    if (entry.delta === 0) caughtUp();
  }
}

function put(entry: KvEntry, directory: Directory): void {
  const value: unknown = entry.json();
  if (entry.key.startsWith('user.')) directory.putUser(directoryUser.parse(value) satisfies DirectoryUser);
  else if (entry.key.startsWith('department.')) {
    directory.putDepartment(directoryDepartment.parse(value) satisfies DirectoryDepartment);
  }
}
