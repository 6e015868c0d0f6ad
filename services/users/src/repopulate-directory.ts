import { markComplete, readBucketState } from '@atrium/service-kit/directory/bucket';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { DIRECTORY_SUBJECT } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { republishDirectory } from './republish-directory.ts';

const INTERVAL_MS = 1_000;

type Options = { db: Db; messaging: Messaging; log: Logger };

/** Fills the directory again whenever its bucket itself says that it is not complete, as one that came back empty, as long as this pod leads the relay. */
export function refillDirectory({ db, messaging, log }: Options): PollingLoop {
  const bucket = messaging.directoryBucket;
  /** The bucket for which everything was queued. */
  let queuedFor: string | undefined;
  return startPollingLoop({
    what: 'the directory',
    everyMs: INTERVAL_MS,
    log,
    async round() {
      if (!messaging.leadsRelay()) return false;
      const { streamCreatedAt, isComplete } = await readBucketState(messaging, bucket);
      if (isComplete) return false;
      if (queuedFor !== streamCreatedAt) {
        // What this process has in memory says nothing of what is in that bucket.
        const queued = await republishDirectory({ db, directory: createDirectory() });
        queuedFor = streamCreatedAt;
        log.warn({ queued }, 'Directory is not complete; queued every user and department');
      }
      if (!(await isAnyWaiting(db))) await markComplete(messaging, bucket);
      return false;
    },
  });
}

async function isAnyWaiting(db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from outbox where starts_with(subject, $1) and refused_at is null limit 1',
    [DIRECTORY_SUBJECT],
  );
  return rowCount === 1;
}
