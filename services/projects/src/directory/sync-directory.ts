import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { markComplete, readBucketState } from '@atrium/service-kit/directory/bucket';
import { createProjectDirectory, type ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { hasPendingEntries, PROJECTS_SUBJECT } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { queueMissingTombstone, queueProjectEntry } from '../projects/append-project-events.ts';
import { lockProject, raiseVersion } from '../projects/project-repository.ts';

const POLL_INTERVAL_MS = 1_000;

type Options = { db: Db; projects: ProjectDirectory; messaging: Messaging; log: Logger; signal: AbortSignal };

/**
 * Synchronizes the project directory with the table while this pod leads the relay: on becoming the leader, and
 * whenever the bucket reports that it is incomplete, for example after data loss.
 */
export function syncDirectory({ db, projects, messaging, log, signal }: Options): PollingLoop {
  const bucket = messaging.projectsBucket;
  let isReconciled = false;
  /** Creation time of the bucket for which every project was queued last. */
  let queuedForBucket: string | undefined;
  return startPollingLoop({
    name: 'project directory',
    intervalMs: POLL_INTERVAL_MS,
    log,
    async round() {
      if (!messaging.isRelayLeader()) {
        isReconciled = false;
        return false;
      }
      const { streamCreatedAt, isComplete } = await readBucketState(messaging, bucket);
      if (!isComplete && queuedForBucket !== streamCreatedAt) {
        // The in-memory directory says nothing about the content of the bucket.
        const queuedIds = await reconcileDirectory(db, createProjectDirectory(), signal);
        queuedForBucket = streamCreatedAt;
        isReconciled = true;
        log.warn({ queued: queuedIds.length }, 'Project directory is incomplete, queued every project');
      }
      if (!isReconciled) {
        const queuedIds = await reconcileDirectory(db, projects, signal);
        isReconciled = true;
        if (queuedIds.length > 0) log.info({ queued: queuedIds.length }, 'Queued missing project directory entries');
      }
      if (!isComplete && !(await hasPendingEntries(db, PROJECTS_SUBJECT))) await markComplete(messaging, bucket);
      return false;
    },
  });
}

const PAGE_SIZE = 2_000;
const BATCH_SIZE = 500;

/**
 * Queues every project whose directory entry differs from the table, for example after a restore. Returns the ids of
 * these projects.
 */
export async function reconcileDirectory(db: Db, directory: ProjectDirectory, signal: AbortSignal): Promise<string[]> {
  const existingIds = new Set<string>();
  const staleIds: string[] = [];
  let afterId = '';
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await db.query<{ id: string; version: number }>(
      `select id, version from projects where id > $1 order by id limit ${PAGE_SIZE}`,
      [afterId],
    );
    for (const { id, version } of rows) {
      existingIds.add(id);
      if (!isPublished(directory.project(id), version)) staleIds.push(id);
    }
    const lastRow = rows.at(-1);
    if (!lastRow || rows.length < PAGE_SIZE) break;
    afterId = lastRow.id;
  }
  for (const { _id, deleted } of directory.projects()) if (!deleted && !existingIds.has(_id)) staleIds.push(_id);
  const pendingVersions = await readPendingVersions(db);
  const unqueuedIds = staleIds.filter((id) => (pendingVersions.get(id) ?? 0) <= (directory.project(id)?.version ?? 0));
  for (let from = 0; from < unqueuedIds.length; from += BATCH_SIZE) {
    signal.throwIfAborted();
    await queueEntries(db, directory, unqueuedIds.slice(from, from + BATCH_SIZE));
  }
  return staleIds;
}

const PROJECT_KEY_PREFIX = `${PROJECTS_SUBJECT}project.`;

/**
 * Returns the newest pending version of each project in the outbox, which need not be queued again. The outbox of a
 * restored database may contain versions older than the directory.
 */
async function readPendingVersions(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; version: number }>(
    `select substr(aggregate, length($1) + 1) as id, max((payload::jsonb ->> 'version')::int) as version
     from outbox where starts_with(aggregate, $1) group by aggregate`,
    [PROJECT_KEY_PREFIX],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

const isPublished = (entry: DirectoryProject | undefined, version: number) =>
  entry?.version === version && !entry.deleted;

/** Locks each row, so that no older entry is queued behind a newer one. */
const queueEntries = (db: Db, directory: ProjectDirectory, ids: string[]): Promise<void> =>
  db.transaction(async (tx) => {
    for (const id of ids) {
      const row = await lockProject(tx, id);
      const publishedEntry = directory.project(id);
      if (!row) {
        if (publishedEntry && !publishedEntry.deleted) await queueMissingTombstone(tx, publishedEntry);
        continue;
      }
      // Published versions were committed, so only a restored table can be behind.
      const isBehind = publishedEntry && (publishedEntry.deleted || publishedEntry.version > row.version);
      await queueProjectEntry(tx, isBehind ? await raiseVersion(tx, id, publishedEntry.version + 1) : row);
    }
  });
