import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { appendProjectEntry } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { ProjectRow } from './project-repository.ts';

const directoryEntry = (row: ProjectRow): DirectoryProject => ({
  _id: row.id,
  name: row.name,
  managerId: row.manager_id,
  memberIds: row.member_ids,
  deleted: false,
  version: row.version,
});

export const publishProjectEntry = (tx: Queryable, row: ProjectRow): Promise<void> =>
  appendProjectEntry(tx, directoryEntry(row));

/** The directory keeps a deleted project without its members, in a version after its last. */
export const publishProjectTombstone = (tx: Queryable, row: ProjectRow): Promise<void> =>
  appendProjectEntry(tx, { ...directoryEntry(row), memberIds: [], deleted: true, version: row.version + 1 });

/** For a project whose row was deleted without a directory entry. */
export const publishMissingTombstone = (tx: Queryable, entry: DirectoryProject): Promise<void> =>
  appendProjectEntry(tx, { ...entry, memberIds: [], deleted: true, version: entry.version + 1 });
