import {
  type DirectoryDepartment,
  type DirectoryUser,
  directoryDepartment,
  directoryUser,
} from '@atrium/proto-events/people';
import type { KV, KvEntry } from '@nats-io/kv';
import type { Messaging } from '../messaging/messaging.ts';
import type { Logger } from '../observability/logger.ts';
import { startPollingLoop } from '../process/polling-loop.ts';
import { followBucket, openBucket } from './bucket.ts';
import type { Directory } from './directory.ts';

export const openDirectoryBucket = (messaging: Messaging): Promise<KV> =>
  openBucket(messaging, messaging.directoryBucket);

export const userKey = (id: string) => `user.${id}`;
export const departmentKey = (id: string) => `department.${id}`;

/**
 * Keeps the directory up to date with its bucket. Resolves once it has caught up. Periodically checks that nothing is
 * missing, and then confirms the directory.
 */
export async function followDirectory(
  directory: Directory,
  messaging: Messaging,
  { log, confirmIntervalMs }: { log: Logger; confirmIntervalMs: number },
): Promise<{ close(): Promise<void> }> {
  const follower = await followBucket({
    messaging,
    bucket: messaging.directoryBucket,
    put: (entry) => putEntry(entry, directory),
    onEmptied: directory.notifyEmptied,
    log,
  });
  directory.confirm();
  const loop = startPollingLoop({
    name: 'the user directory',
    intervalMs: confirmIntervalMs,
    log,
    // The connection itself reports an outage of NATS.
    isReportedElsewhere: () => true,
    async round() {
      const { state } = await messaging.manager.streams.info(`KV_${messaging.directoryBucket}`);
      if (follower.revision() >= state.last_seq) directory.confirm();
      return false;
    },
  });
  return {
    async close() {
      await follower.close();
      await loop.close();
    },
  };
}

function putEntry(entry: KvEntry, directory: Directory): void {
  const value: unknown = entry.json();
  if (entry.key.startsWith('user.')) directory.putUser(directoryUser.parse(value) satisfies DirectoryUser);
  else if (entry.key.startsWith('department.')) {
    directory.putDepartment(directoryDepartment.parse(value) satisfies DirectoryDepartment);
  }
}
