import type { DirectoryDepartment } from '@atrium/proto-events/people';
import { markComplete, readBucketState } from '@atrium/service-kit/directory/bucket';
import { createDirectory, type Directory } from '@atrium/service-kit/directory/directory';
import { departmentKey, userKey } from '@atrium/service-kit/directory/directory-feed';
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
import type { Deps } from './deps.ts';
import { directoryEntry } from './users/present-user.ts';
import type { UserRow } from './users/user-repository.ts';

const POLL_INTERVAL_MS = 1_000;

type Options = { db: Db; messaging: Messaging; log: Logger };

/** Refills the directory whenever its bucket reports that it is incomplete, as after a loss. Runs on the pod that leads the relay. */
export function repopulateDirectory({ db, messaging, log }: Options): PollingLoop {
  const bucket = messaging.directoryBucket;
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
  entries: (tx: Queryable, ids: string[]) => Promise<DirectoryEntry[]>;
};

const SOURCES: Source[] = [
  {
    table: 'departments',
    isStale: (directory, { id, version }) => (directory.department(id)?.version ?? -1) < version,
    entries: departmentEntries,
  },
  {
    table: 'users',
    isStale: (directory, { id, version }) => (directory.user(id)?.version ?? -1) < version,
    entries: userEntries,
  },
];

/** Queues missing and outdated directory entries, as after a restore; returns how many. */
export async function republishDirectory({ db, directory }: Pick<Deps, 'db' | 'directory'>): Promise<number> {
  let queued = 0;
  for (const source of SOURCES) {
    let after = '';
    for (;;) {
      const page = await readPage(db, source, after);
      const stale = page.filter((row) => source.isStale(directory, row));
      if (stale.length > 0)
        await queue(
          db,
          source,
          stale.map(({ id }) => id),
        );
      queued += stale.length;
      if (page.length < PAGE_SIZE) break;
      after = page.at(-1)?.id ?? '';
    }
  }
  return queued;
}

async function readPage(db: Db, { table }: Source, after: string): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `select id, version from ${table} where id > $1 order by id limit ${PAGE_SIZE}`,
    [after],
  );
  return rows;
}

async function queue(db: Db, source: Source, ids: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await appendDirectoryEntries(tx, await source.entries(tx, ids));
  });
}

async function userEntries(tx: Queryable, ids: string[]): Promise<DirectoryEntry[]> {
  const { rows } = await tx.query<Omit<UserRow, 'department_name'>>(
    'select * from users where id = any($1) order by id for update',
    [ids],
  );
  return rows.map((row) => ({ key: userKey(row.id), value: directoryEntry(row) }));
}

async function departmentEntries(tx: Queryable, ids: string[]): Promise<DirectoryEntry[]> {
  const { rows } = await tx.query<DirectoryDepartment>(
    'select id as _id, name, is_active as "isActive", version from departments where id = any($1) order by id for update',
    [ids],
  );
  return rows.map((value) => ({ key: departmentKey(value._id), value }));
}
