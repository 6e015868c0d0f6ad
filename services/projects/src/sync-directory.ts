import { markComplete, readBucketState } from '@atrium/service-kit/directory/bucket';
import { createProjectDirectory, type ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { PROJECTS_SUBJECT } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { reconcileDirectory } from './reconcile-directory.ts';

const INTERVAL_MS = 1_000;

type Options = { db: Db; projects: ProjectDirectory; messaging: Messaging; log: Logger; signal: AbortSignal };

/**
 * Has the directory of projects hold what the table has, as long as this pod leads the relay: compared when it begins to lead, as after a
 * restore, and filled again whenever the bucket itself says that it is not complete, as one that came back empty.
 */
export function keepDirectory({ db, projects, messaging, log, signal }: Options): PollingLoop {
  const bucket = messaging.projectsBucket;
  let isCompared = false;
  /** The bucket for which every project was queued. */
  let queuedFor: string | undefined;
  return startPollingLoop({
    what: 'the directory of projects',
    everyMs: INTERVAL_MS,
    log,
    async round() {
      if (!messaging.leadsRelay()) {
        isCompared = false;
        return false;
      }
      const { streamCreatedAt, isComplete } = await readBucketState(messaging, bucket);
      if (!isComplete && queuedFor !== streamCreatedAt) {
        // What this process has in memory says nothing of what is in that bucket.
        const all = await reconcileDirectory(db, createProjectDirectory(), signal);
        queuedFor = streamCreatedAt;
        isCompared = true;
        log.warn({ queued: all.length }, 'Directory of projects is not complete; queued every project');
      }
      if (!isCompared) {
        const stale = await reconcileDirectory(db, projects, signal);
        isCompared = true;
        if (stale.length > 0) log.info({ queued: stale.length }, 'Queued projects that the directory lacked');
      }
      if (!isComplete && !(await isAnyWaiting(db))) await markComplete(messaging, bucket);
      return false;
    },
  });
}

async function isAnyWaiting(db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from outbox where starts_with(subject, $1) and refused_at is null limit 1',
    [PROJECTS_SUBJECT],
  );
  return rowCount === 1;
}
