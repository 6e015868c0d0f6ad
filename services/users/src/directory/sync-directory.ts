import type { DirectoryDepartment } from '@atrium/proto-events/people';
import { markComplete, readBucketState } from '@atrium/service-kit/directory/bucket';
import { createDirectory, type Directory } from '@atrium/service-kit/directory/directory';
import { departmentKey, userKey } from '@atrium/service-kit/directory/follow-directory';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import {
  appendDirectoryEntries,
  DIRECTORY_SUBJECT,
  type DirectoryEntry,
  hasPendingEntries,
} from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { Deps } from '../deps.ts';
import { toDirectoryEntry } from '../users/present-user.ts';
import type { UserRow } from '../users/user-repository.ts';

const POLL_INTERVAL_MS = 1_000;

type Options = { db: Db; messaging: Messaging; log: Logger };

/**
 * Refills the directory whenever its bucket reports that it is incomplete, for example after data loss. Runs on the pod
 * that leads the relay.
 */
export function syncDirectory({ db, messaging, log }: Options): PollingLoop {
  const bucket = messaging.directoryBucket;
  /** Creation time of the bucket for which every entry was queued last. */
  let queuedForBucket: string | undefined;
  return startPollingLoop({
    name: 'directory',
    intervalMs: POLL_INTERVAL_MS,
    log,
    async round() {
      if (!messaging.isRelayLeader()) return false;
      const { streamCreatedAt, isComplete } = await readBucketState(messaging, bucket);
      if (isComplete) return false;
      if (queuedForBucket !== streamCreatedAt) {
        // The in-memory directory says nothing about the content of the bucket.
        const queuedCount = await reconcileDirectory({ db, directory: createDirectory() });
        queuedForBucket = streamCreatedAt;
        log.warn({ queued: queuedCount }, 'Directory is incomplete, queued every user and department');
      }
      if (!(await hasPendingEntries(db, DIRECTORY_SUBJECT))) await markComplete(messaging, bucket);
      return false;
    },
  });
}

const PAGE_SIZE = 1_000;

type Row = { id: string; version: number };
type Source = {
  table: 'users' | 'departments';
  isStale: (directory: Directory, row: Row) => boolean;
  /** Locks the rows, so that no older entry is queued behind a newer one. */
  lockEntries: (tx: Queryable, ids: string[]) => Promise<DirectoryEntry[]>;
};

const SOURCES: Source[] = [
  {
    table: 'departments',
    isStale: (directory, { id, version }) => (directory.department(id)?.version ?? -1) < version,
    lockEntries: lockDepartmentEntries,
  },
  {
    table: 'users',
    isStale: (directory, { id, version }) => (directory.user(id)?.version ?? -1) < version,
    lockEntries: lockUserEntries,
  },
];

/** Queues missing and outdated directory entries, for example after a restore. Returns the number of queued entries. */
export async function reconcileDirectory({ db, directory }: Pick<Deps, 'db' | 'directory'>): Promise<number> {
  let queuedCount = 0;
  for (const source of SOURCES) {
    let afterId = '';
    for (;;) {
      const page = await readPage(db, source, afterId);
      const staleRows = page.filter((row) => source.isStale(directory, row));
      if (staleRows.length > 0)
        await queueEntries(
          db,
          source,
          staleRows.map(({ id }) => id),
        );
      queuedCount += staleRows.length;
      if (page.length < PAGE_SIZE) break;
      afterId = page.at(-1)?.id ?? '';
    }
  }
  return queuedCount;
}

async function readPage(db: Db, { table }: Source, afterId: string): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `select id, version from ${table} where id > $1 order by id limit ${PAGE_SIZE}`,
    [afterId],
  );
  return rows;
}

async function queueEntries(db: Db, source: Source, ids: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await appendDirectoryEntries(tx, await source.lockEntries(tx, ids));
  });
}

async function lockUserEntries(tx: Queryable, ids: string[]): Promise<DirectoryEntry[]> {
  const { rows } = await tx.query<Omit<UserRow, 'department_name'>>(
    'select * from users where id = any($1) order by id for update',
    [ids],
  );
  return rows.map((row) => ({ key: userKey(row.id), value: toDirectoryEntry(row) }));
}

async function lockDepartmentEntries(tx: Queryable, ids: string[]): Promise<DirectoryEntry[]> {
  const { rows } = await tx.query<DirectoryDepartment>(
    'select id as _id, name, is_active as "isActive", version from departments where id = any($1) order by id for update',
    [ids],
  );
  return rows.map((value) => ({ key: departmentKey(value._id), value }));
}
