import { projectUpdated } from '@atrium/proto-events/events/projects';
import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { appendEvent, appendProjectEntry } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { ProjectRow } from './project-repository.ts';

export function toEventData(row: ProjectRow) {
  return {
    projectId: row.id,
    name: row.name,
    status: row.status,
    managerId: row.manager_id,
    memberIds: row.member_ids,
    version: row.version,
  };
}

type ProjectUpdatedParams = { changed: string[]; actorId: string | null };

export async function appendProjectUpdated(
  tx: Queryable,
  row: ProjectRow,
  { changed, actorId }: ProjectUpdatedParams,
): Promise<void> {
  await queueProjectEntry(tx, row);
  await appendEvent(tx, {
    event: projectUpdated,
    data: { ...toEventData(row), progress: row.progress, changed },
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
