import { projectUpdated } from '@atrium/proto-events/events/projects';
import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { USERS_PER_ITEM } from '@atrium/proto-events/users-per-item';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { appendEvent, appendProjectEntry } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { toSharedProject } from './present-project.ts';
import type { ProjectRow } from './project-repository.ts';

export function toEventData(directory: Directory, row: ProjectRow) {
  return {
    projectId: row.id,
    name: row.name,
    status: row.status,
    managerId: row.manager_id,
    memberIds: row.member_ids,
    version: row.version,
    project: toSharedProject(directory, row, USERS_PER_ITEM),
  };
}

type ProjectUpdatedParams = {
  changed: string[];
  actorId: string | null;
  /** Users whose place in the project has changed. */
  affectedIds: string[];
};

export async function appendProjectUpdated(
  tx: Queryable,
  directory: Directory,
  row: ProjectRow,
  { changed, actorId, affectedIds }: ProjectUpdatedParams,
): Promise<void> {
  await queueProjectEntry(tx, row);
  await appendEvent(tx, {
    event: projectUpdated,
    data: { ...toEventData(directory, row), progress: row.progress, changed, affectedIds },
    aggregate: row.id,
    actorId,
  });
}

const toDirectoryEntry = (row: ProjectRow): DirectoryProject => ({
  _id: row.id,
  name: row.name,
  managerId: row.manager_id,
  memberIds: row.member_ids,
  deleted: false,
  version: row.version,
});

export const queueProjectEntry = (tx: Queryable, row: ProjectRow): Promise<void> =>
  appendProjectEntry(tx, toDirectoryEntry(row));

/** Keeps a deleted project in the directory without its members, in a version after its last one. */
export const queueProjectTombstone = (tx: Queryable, row: ProjectRow): Promise<void> =>
  appendProjectEntry(tx, { ...toDirectoryEntry(row), memberIds: [], deleted: true, version: row.version + 1 });

/** Queues the tombstone of a project whose row was deleted without one. */
export const queueMissingTombstone = (tx: Queryable, entry: DirectoryProject): Promise<void> =>
  appendProjectEntry(tx, { ...entry, memberIds: [], deleted: true, version: entry.version + 1 });
