import type { DirectoryDepartment } from '@atrium/proto-events/people';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { departmentKey, userKey } from '@atrium/service-kit/directory/directory-feed';
import { appendDirectoryEntries, type DirectoryEntry } from '@atrium/service-kit/messaging/outbox';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { directoryEntry } from '../users/present-user.ts';
import type { UserRow } from '../users/user-repository.ts';

const PAGE_SIZE = 1_000;

type Row = { id: string; version: number };
type Source = {
  table: 'users' | 'departments';
  /** Whether the directory lacks it, or has it in an older version. */
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
