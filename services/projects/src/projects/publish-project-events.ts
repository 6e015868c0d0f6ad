import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { appendProjectEntry } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { ProjectRow } from './project-repository.ts';

/** The project as every service knows it. */
const directoryEntry = (row: ProjectRow): DirectoryProject => ({
  _id: row.id,
  name: row.name,
  managerId: row.manager_id,
  memberIds: row.member_ids,
  deleted: false,
  version: row.version,
});

/** Puts what the transaction wrote into the directory of projects. */
export const publishProjectEntry = (tx: Queryable, row: ProjectRow): Promise<void> =>
  appendProjectEntry(tx, directoryEntry(row));

/** The directory keeps a project that is gone, in a version after its last, without its people. */
export const publishProjectTombstone = (tx: Queryable, row: ProjectRow): Promise<void> =>
  appendProjectEntry(tx, { ...directoryEntry(row), memberIds: [], deleted: true, version: row.version + 1 });

/** The same for one whose row went without a word to the directory. */
export const publishMissingTombstone = (tx: Queryable, told: DirectoryProject): Promise<void> =>
  appendProjectEntry(tx, { ...told, memberIds: [], deleted: true, version: told.version + 1 });
