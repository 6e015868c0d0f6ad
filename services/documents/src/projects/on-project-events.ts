import type { EventOf } from '@atrium/proto-events/event';
import { documentAccessChanged } from '@atrium/proto-events/events/documents';
import type { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

type ProjectData = { projectId: string; version: number; managerId: string; memberIds: string[] };
type MembershipChange = { addedIds: string[]; removedIds: string[] };

/** Project members can read team documents. A new project has no documents, so nothing is published. */
export async function saveNewProject({ data }: EventOf<typeof projectCreated>, tx: Queryable): Promise<void> {
  await saveMembers(tx, data);
}

export async function updateMembers(event: EventOf<typeof projectUpdated>, tx: Queryable): Promise<void> {
  await appendAccessChanged(tx, await saveMembers(tx, event.data), event);
}

/** Keeps the deleted project, because documents without a project would become visible to everyone. */
export async function markProjectDeleted(event: EventOf<typeof projectDeleted>, tx: Queryable): Promise<void> {
  const { projectId } = event.data;
  await tx.query(
    `insert into projects (id, version, deleted) values ($1, 0, true)
     on conflict (id) do update set deleted = true`,
    [projectId],
  );
  const removedIds = await removeMembersExcept(tx, projectId, []);
  await appendAccessChanged(tx, { addedIds: [], removedIds }, event);
}

/** Ignores events that are older than the saved version. */
async function saveMembers(
  tx: Queryable,
  { projectId, version, managerId, memberIds }: ProjectData,
): Promise<MembershipChange> {
  const { rowCount } = await tx.query(
    `insert into projects (id, version) values ($1, $2)
     on conflict (id) do update set version = excluded.version
     where projects.version < excluded.version and not projects.deleted`,
    [projectId, version],
  );
  if (rowCount === 0) return { addedIds: [], removedIds: [] };
  const currentIds = [...new Set([managerId, ...memberIds])];
  const removedIds = await removeMembersExcept(tx, projectId, currentIds);
  const { rows } = await tx.query<{ user_id: string }>(
    `insert into project_people (project_id, user_id) select $1, unnest($2::text[])
     on conflict do nothing returning user_id`,
    [projectId, currentIds],
  );
  return { addedIds: rows.map(({ user_id }) => user_id), removedIds };
}

async function removeMembersExcept(tx: Queryable, projectId: string, memberIds: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    'delete from project_people where project_id = $1 and user_id <> all($2::text[]) returning user_id',
    [projectId, memberIds],
  );
  return rows.map(({ user_id }) => user_id);
}

type ProjectEvent = { data: { projectId: string }; actorId: string | null };

/**
 * Browsers may have refetched before this service processed the event, so those of affected users must refetch again.
 */
async function appendAccessChanged(
  tx: Queryable,
  change: MembershipChange,
  { data: { projectId }, actorId }: ProjectEvent,
): Promise<void> {
  if (change.addedIds.length + change.removedIds.length === 0) return;
  await appendEvent(tx, {
    event: documentAccessChanged,
    data: { projectId, ...change },
    aggregate: projectId,
    actorId,
  });
}
