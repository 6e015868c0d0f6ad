import { markComplete, readBucketState } from '@atrium/service-kit/directory/bucket';
import { createProjectDirectory, type ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { PROJECTS_SUBJECT } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { reconcileDirectory } from './reconcile-directory.ts';

const POLL_INTERVAL_MS = 1_000;

type Options = { db: Db; projects: ProjectDirectory; messaging: Messaging; log: Logger; signal: AbortSignal };

/**
 * Synchronizes the project directory with the table while this pod leads the relay: on becoming the leader, and whenever the bucket reports
 * that it is incomplete, as after a loss.
 */
export function syncDirectory({ db, projects, messaging, log, signal }: Options): PollingLoop {
  const bucket = messaging.projectsBucket;
  let isCompared = false;
  /** The bucket that was filled last. */
  let queuedFor: string | undefined;
  return startPollingLoop({
    what: 'project directory',
    intervalMs: POLL_INTERVAL_MS,
    log,
    async round() {
      if (!messaging.leadsRelay()) {
        isCompared = false;
        return false;
      }
      const { streamCreatedAt, isComplete } = await readBucketState(messaging, bucket);
      if (!isComplete && queuedFor !== streamCreatedAt) {
        // The in-memory directory says nothing about the content of the bucket.
        const all = await reconcileDirectory(db, createProjectDirectory(), signal);
        queuedFor = streamCreatedAt;
        isCompared = true;
        log.warn({ queued: all.length }, 'Project directory is incomplete, queued every project');
      }
      if (!isCompared) {
        const stale = await reconcileDirectory(db, projects, signal);
        isCompared = true;
        if (stale.length > 0) log.info({ queued: stale.length }, 'Queued missing project directory entries');
      }
      if (!isComplete && !(await hasPendingEntries(db))) await markComplete(messaging, bucket);
      return false;
    },
  });
}

async function hasPendingEntries(db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from outbox where starts_with(subject, $1) and rejected_at is null limit 1',
    [PROJECTS_SUBJECT],
  );
  return rowCount === 1;
}
