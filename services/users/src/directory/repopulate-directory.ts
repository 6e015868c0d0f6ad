import { markComplete, readBucketState } from '@atrium/service-kit/directory/bucket';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { DIRECTORY_SUBJECT } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { republishDirectory } from './republish-directory.ts';

const POLL_INTERVAL_MS = 1_000;

type Options = { db: Db; messaging: Messaging; log: Logger };

/** Refills the directory whenever its bucket reports that it is incomplete, as after a loss. Runs on the pod that leads the relay. */
export function repopulateDirectory({ db, messaging, log }: Options): PollingLoop {
  const bucket = messaging.directoryBucket;
  /** The bucket that was refilled last. */
  let queuedFor: string | undefined;
  return startPollingLoop({
    what: 'directory',
    intervalMs: POLL_INTERVAL_MS,
    log,
    async round() {
      if (!messaging.leadsRelay()) return false;
      const { streamCreatedAt, isComplete } = await readBucketState(messaging, bucket);
      if (isComplete) return false;
      if (queuedFor !== streamCreatedAt) {
        // The in-memory directory says nothing about the content of the bucket.
        const queued = await republishDirectory({ db, directory: createDirectory() });
        queuedFor = streamCreatedAt;
        log.warn({ queued }, 'Directory is incomplete, queued every user and department');
      }
      if (!(await hasPendingEntries(db))) await markComplete(messaging, bucket);
      return false;
    },
  });
}

async function hasPendingEntries(db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from outbox where starts_with(subject, $1) and rejected_at is null limit 1',
    [DIRECTORY_SUBJECT],
  );
  return rowCount === 1;
}
