import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { markComplete, readBucketState } from '@atrium/service-kit/directory/bucket';
import { createProjectDirectory, type ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { hasPendingEntries, PROJECTS_SUBJECT } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { lockProject, raiseVersion } from './projects/project-repository.ts';
import { publishMissingTombstone, publishProjectEntry } from './projects/publish-project.ts';

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
      if (!isComplete && !(await hasPendingEntries(db, PROJECTS_SUBJECT))) await markComplete(messaging, bucket);
      return false;
    },
  });
}

const PAGE_SIZE = 2_000;
const BATCH_SIZE = 500;

/** Queues every project whose directory entry differs from the table, as after a restore, and returns their ids. */
export async function reconcileDirectory(db: Db, known: ProjectDirectory, signal: AbortSignal): Promise<string[]> {
  const present = new Set<string>();
  const stale: string[] = [];
  let after = '';
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await db.query<{ id: string; version: number }>(
      `select id, version from projects where id > $1 order by id limit ${PAGE_SIZE}`,
      [after],
    );
    for (const { id, version } of rows) {
      present.add(id);
      if (!isPublished(known.project(id), version)) stale.push(id);
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) break;
    after = last.id;
  }
  for (const { _id, deleted } of known.projects()) if (!deleted && !present.has(_id)) stale.push(_id);
  const waiting = await waitingVersions(db);
  const unpublished = stale.filter((id) => (waiting.get(id) ?? 0) <= (known.project(id)?.version ?? 0));
  for (let from = 0; from < unpublished.length; from += BATCH_SIZE) {
    signal.throwIfAborted();
    await publishEntries(db, known, unpublished.slice(from, from + BATCH_SIZE));
  }
  return stale;
}

const PROJECT_KEY_PREFIX = `${PROJECTS_SUBJECT}project.`;

/**
 * The newest pending version of each project in the outbox, which need not be queued again. The outbox of a restored database may contain
 * versions older than the directory.
 */
async function waitingVersions(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; version: number }>(
    `select substr(aggregate, length($1) + 1) as id, max((payload::jsonb ->> 'version')::int) as version
     from outbox where starts_with(aggregate, $1) group by aggregate`,
    [PROJECT_KEY_PREFIX],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

const isPublished = (known: DirectoryProject | undefined, version: number) =>
  known?.version === version && !known.deleted;

/** Locks each row, so that no older value is queued behind a newer one. */
const publishEntries = (db: Db, known: ProjectDirectory, ids: string[]): Promise<void> =>
  db.transaction(async (tx) => {
    for (const id of ids) {
      const row = await lockProject(tx, id);
      const published = known.project(id);
      if (!row) {
        if (published && !published.deleted) await publishMissingTombstone(tx, published);
        continue;
      }
      // Published versions were committed, so only a restored table can be behind.
      const isBehind = published && (published.deleted || published.version > row.version);
      await publishProjectEntry(tx, isBehind ? await raiseVersion(tx, id, published.version + 1) : row);
    }
  });
