import {
  announceCompleteProjects,
  createProjectDirectory,
  type ProjectDirectory,
} from '@atrium/service-kit/directory/project-directory';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { PROJECTS_SUBJECT } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observe/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { reconcileDirectory } from './reconcile-directory.ts';

const LOOK_MS = 1_000;
/** For so long a project may be in the directory that a pod of an earlier release has deleted. */
const RECONCILE_MS = 10_000;

type Keeping = { db: Db; projects: ProjectDirectory; messaging: Messaging; log: Logger; signal: AbortSignal };

/** Keeps the directory of projects as the table is, as long as this pod leads the relay; and says when it has all of them. */
export function keepDirectory({ db, projects, messaging, log, signal }: Keeping): PollingLoop {
  let dueAt = 0;
  let queued: string[] = [];
  /** Whether the bucket came back empty: what this process has in memory says nothing then of what is in it. */
  let isEmptied = false;
  let isAnnounced = true;
  projects.onEmptied(() => {
    isEmptied = true;
  });
  return startPollingLoop({
    what: 'the directory of projects',
    everyMs: LOOK_MS,
    log,
    async round() {
      // One pod for all. A relay of an earlier release beside it cannot publish what this queues, and leaves it to ours.
      if (!messaging.leadsRelay()) {
        dueAt = 0;
        return false;
      }
      if (isEmptied) {
        const all = await reconcileDirectory(db, createProjectDirectory(), signal);
        log.warn({ queued: all.length }, 'the directory of projects came back empty, and is filled again');
        isEmptied = false;
        isAnnounced = false;
      }
      if (!isAnnounced && !(await isAnyWaiting(db))) {
        await announceCompleteProjects(messaging);
        isAnnounced = true;
      }
      if (performance.now() >= dueAt) {
        queued = await reconcileDirectory(db, projects, signal);
        if (queued.length > 0) log.info({ queued: queued.length }, 'put into the directory of projects what it lacked');
        dueAt = performance.now() + RECONCILE_MS;
      }
      const isThere = queued.every((id) => projects.project(id));
      if (isThere && !projects.isComplete()) await announceCompleteProjects(messaging);
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
